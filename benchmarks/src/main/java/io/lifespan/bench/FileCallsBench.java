package io.lifespan.bench;

import io.lifespan.event.blocking.FilePath;
import io.lifespan.event.blocking.TimedFiles;
import io.lifespan.event.blocking.TimedFilesOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import jnr.ffi.LibraryLoader;
import jnr.ffi.LibraryOption;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.types.u_int64_t;

/**
 * What asking whether a file exists costs, bare and with a deadline. The ways take turns, round by
 * round, so that whatever else the machine does hits all alike. Prints nanoseconds for each call,
 * as one JSON object a line.
 */
public final class FileCallsBench {

  private static final int CALLS = 100_000;
  private static final int WARM_UP = 5;

  private FileCallsBench() {}

  /** Takes the file, on tmpfs, and the number of rounds. */
  public static void main(String[] arguments) {
    String file = arguments[0];
    int rounds = Integer.parseInt(arguments[1]);
    LibC libc = LibraryLoader.create(LibC.class).option(LibraryOption.SaveError, true).load("c");
    Pointer prepared = Runtime.getSystemRuntime().getMemoryManager().allocateDirect(4096);
    prepared.putString(0, file, 4096, java.nio.charset.StandardCharsets.UTF_8);
    long address = prepared.address();
    Path path = Path.of(file);
    FilePath filePath = FilePath.of(file);
    try (TimedFiles files = TimedFiles.open(TimedFilesOptions.DEFAULTS)) {
      TimedFiles adaptive = files.adaptive();
      TimedFiles strict = files.strict();
      Map<String, BooleanSupplier> ways = new LinkedHashMap<>();
      ways.put("jnr-ffi, path prepared", () -> libc.access(address, 0) == 0);
      ways.put("jnr-ffi, path as String", () -> libc.access(file, 0) == 0);
      ways.put("java.nio Files.exists", () -> Files.exists(path));
      ways.put("TimedFiles adaptive", () -> adaptive.exists(filePath).orNull() == Boolean.TRUE);
      ways.put(
          "TimedFiles adaptive, path as String",
          () -> adaptive.exists(FilePath.of(file)).orNull() == Boolean.TRUE);
      ways.put("TimedFiles strict", () -> strict.exists(filePath).orNull() == Boolean.TRUE);
      measure(ways, rounds);
    }
  }

  private static void measure(Map<String, BooleanSupplier> ways, int rounds) {
    Map<String, double[]> figures = new LinkedHashMap<>();
    ways.keySet().forEach(name -> figures.put(name, new double[rounds]));
    for (int round = -WARM_UP; round < rounds; round++) {
      for (Map.Entry<String, BooleanSupplier> way : ways.entrySet()) {
        double nanos = round(way.getValue());
        if (round >= 0) {
          figures.get(way.getKey())[round] = nanos;
        }
      }
    }
    figures.forEach(
        (name, each) -> {
          Arrays.sort(each);
          System.out.printf(
              Locale.ROOT,
              "{\"way\": \"%s\", \"best\": %.1f, \"median\": %.1f}%n",
              name,
              each[0],
              each[rounds / 2]);
        });
  }

  private static double round(BooleanSupplier way) {
    int there = 0;
    long start = System.nanoTime();
    for (int i = 0; i < CALLS; i++) {
      if (way.getAsBoolean()) {
        there++;
      }
    }
    long took = System.nanoTime() - start;
    if (there != CALLS) {
      throw new IllegalStateException("it is not there: " + (CALLS - there) + " times");
    }
    return (double) took / CALLS;
  }

  /** Public for jnr-ffi, whose generated class is in another package. */
  public interface LibC {
    int access(String path, int mode);

    int access(@u_int64_t long path, int mode);
  }
}
