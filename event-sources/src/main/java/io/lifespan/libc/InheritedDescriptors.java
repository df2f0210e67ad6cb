package io.lifespan.libc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The file descriptors that this program was started with, which a command it starts is to inherit:
 * standard input and output, and others such as those of make's jobserver.
 *
 * <p>The JDK opens most of its files without O_CLOEXEC, so an open descriptor alone says nothing.
 * Right after the start there are few: on 17 and 25 lib/modules below the Java home and the jars of
 * the class path, and these are told by their names.
 */
public final class InheritedDescriptors {

  private static final Path OPEN = Path.of("/proc/self/fd");

  private static final String FLAGS = "flags:";
  private static final int O_CLOEXEC = 0x80000;

  private final NavigableSet<Integer> descriptors;

  private InheritedDescriptors(NavigableSet<Integer> descriptors) {
    this.descriptors = Collections.unmodifiableNavigableSet(descriptors);
  }

  /** Takes down what is open. To be called as the program's first act, before it opens anything. */
  public static InheritedDescriptors take() throws IOException {
    Set<Path> own = filesOfTheVirtualMachine();
    Path home = Path.of(System.getProperty("java.home")).toRealPath();
    NavigableSet<Integer> inherited = new TreeSet<>();
    for (int descriptor : open()) {
      Path target = target(descriptor);
      if (target != null
          && !own.contains(target)
          && !target.startsWith(home)
          && !closesOnExec(descriptor)) {
        inherited.add(descriptor);
      }
    }
    return new InheritedDescriptors(inherited);
  }

  /**
   * Those that an earlier {@link #take} of this process gave, handed over a restart: the virtual
   * machine opens more when it starts with other options ({@code -Xrs} alone makes it listen on a
   * socket).
   */
  public static InheritedDescriptors of(Collection<Integer> descriptors) {
    return new InheritedDescriptors(new TreeSet<>(descriptors));
  }

  /** The descriptors, in ascending order. */
  public NavigableSet<Integer> descriptors() {
    return descriptors;
  }

  /** Every descriptor that is open now; also that of the directory read for it, closed by then. */
  static NavigableSet<Integer> open() throws IOException {
    String[] names = OPEN.toFile().list();
    if (names == null) {
      throw new NoSuchFileException(OPEN.toString(), null, "is /proc mounted?");
    }
    NavigableSet<Integer> open = new TreeSet<>();
    for (String name : names) {
      open.add(Integer.parseInt(name));
    }
    return open;
  }

  private static Set<Path> filesOfTheVirtualMachine() {
    Set<Path> files = new HashSet<>();
    for (String entry : System.getProperty("java.class.path", "").split(File.pathSeparator, -1)) {
      addReal(files, entry);
    }
    return files;
  }

  private static void addReal(Set<Path> files, String entry) {
    try {
      files.add(Path.of(entry).toRealPath());
    } catch (IOException absent) {
      // An entry of the class path that is not there is not open either.
    }
  }

  /** What it is open on; null if it has been closed. */
  private static @Nullable Path target(int descriptor) {
    try {
      return Files.readSymbolicLink(OPEN.resolve(Integer.toString(descriptor)));
    } catch (IOException closed) {
      return null;
    }
  }

  /** Without a channel, whose class would open a socket of its own that looked inherited. */
  private static boolean closesOnExec(int descriptor) {
    try (InputStream info = new FileInputStream("/proc/self/fdinfo/" + descriptor)) {
      String content = new String(info.readAllBytes(), ISO_8859_1);
      int start = content.indexOf(FLAGS) + FLAGS.length();
      String flags = content.substring(start, content.indexOf('\n', start)).trim();
      return (Long.parseLong(flags, 8) & O_CLOEXEC) != 0;
    } catch (IOException closedMeanwhile) {
      return true;
    }
  }
}
