package io.lifespan.process;

import io.lifespan.libc.SystemCallException;
import io.lifespan.libc.WipeOnForkPage;

/**
 * Makes the cache of this process when it is first asked for, by the JVM's own rules for class
 * initialisation.
 */
final class CurrentPidCache {

  static final PidCache CACHE = make(WipeOnForkPage::map);

  private CurrentPidCache() {}

  static PidCache make(PageMapper mapper) {
    try {
      return new WitnessedPidCache(mapper.map());
    } catch (SystemCallException e) {
      return new AskingPidCache(PidCacheCauses.failed(e));
    } catch (UnsupportedOperationException e) {
      return new AskingPidCache(PidCacheCauses.untrusted());
    }
  }

  /** Where the page comes from. */
  @FunctionalInterface
  interface PageMapper {
    WipeOnForkPage map() throws SystemCallException;
  }
}
