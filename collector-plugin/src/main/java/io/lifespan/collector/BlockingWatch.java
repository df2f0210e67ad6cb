package io.lifespan.collector;

import io.lifespan.collector.config.Settings;
import io.lifespan.event.blocking.BlockedTask;
import io.lifespan.event.blocking.BlockingListener;
import io.lifespan.event.blocking.BlockingListeners;
import io.lifespan.event.blocking.CallStatistics;
import io.lifespan.event.blocking.MountChange;
import io.lifespan.event.blocking.MountHealth;
import io.lifespan.event.blocking.MountProber;
import io.lifespan.event.blocking.MountState;
import io.lifespan.event.blocking.TaskSampler;
import io.lifespan.event.blocking.TimedFiles;
import io.lifespan.event.blocking.TimedFilesOptions;
import io.lifespan.otel.BlockingView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The watch for what blocks on this node: mounts that are probed, threads of other processes that
 * hang. Holds up neither the start nor the stop of the program, whatever hangs.
 */
final class BlockingWatch implements BlockingView, AutoCloseable {

  private static final long HOST = 1;

  private final @Nullable TimedFiles files;
  private final @Nullable MountProber prober;
  private final @Nullable TaskSampler sampler;

  private BlockingWatch(
      @Nullable TimedFiles files, @Nullable MountProber prober, @Nullable TaskSampler sampler) {
    this.files = files;
    this.prober = prober;
    this.sampler = sampler;
  }

  /** Starts it if the settings say so. */
  static BlockingWatch start(Settings.Blocking settings, List<BlockingListener> listeners) {
    if (!settings.enabled()) {
      return new BlockingWatch(null, null, null);
    }
    TimedFiles files = TimedFiles.open(options(settings));
    BlockingListener all = BlockingListeners.of(listeners);
    TaskSampler sampler = new TaskSampler(files, settings.sampler(), all);
    List<BlockingListener> withSampler = new ArrayList<>(listeners);
    withSampler.add(new Hurrier(sampler));
    MountProber prober =
        new MountProber(files, settings.prober(), BlockingListeners.of(withSampler));
    prober.start();
    sampler.start();
    return new BlockingWatch(files, prober, sampler);
  }

  /** Which mounts are looked at, and from when on an answer counts as slow. */
  static TimedFilesOptions options(Settings.Blocking settings) {
    TimedFilesOptions options =
        TimedFilesOptions.DEFAULTS.withThresholds(
            settings.prober().slowAfter(), settings.sampler().reportAfter());
    return settings.hostMounts() ? options.withMountsOf(HOST) : options;
  }

  @Override
  public List<BlockedTask> blocked() {
    return sampler == null ? List.of() : sampler.blocked();
  }

  @Override
  public List<MountHealth> mounts() {
    return prober == null ? List.of() : prober.healths();
  }

  @Override
  public List<CallStatistics> calls() {
    return files == null ? List.of() : files.statistics();
  }

  @Override
  public void close() {
    if (sampler != null) {
      sampler.close();
    }
    if (prober != null) {
      prober.close();
    }
    if (files != null) {
      files.close();
    }
  }

  /** Lets the sampler look at once when a mount is late: somebody else may hang in it. */
  private record Hurrier(TaskSampler sampler) implements BlockingListener {
    @Override
    public void mountChanged(MountChange change) {
      if (change.to().state() == MountState.SLOW || change.to().state() == MountState.STUCK) {
        sampler.hurry();
      }
    }
  }
}
