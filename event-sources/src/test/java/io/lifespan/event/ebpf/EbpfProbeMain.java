package io.lifespan.event.ebpf;

import io.lifespan.event.EventSelection;
import io.lifespan.event.ProcessEvent;
import io.lifespan.event.Unavailable;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.event.capture.SystemClock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Prints whether capture in the kernel can be had where it runs; if so, also whether a process that
 * it starts is seen.
 */
final class EbpfProbeMain {

  private EbpfProbeMain() {}

  public static void main(String[] arguments) throws Exception {
    EventSelection lives = EventSelection.of(List.of("fork", "exec", "exit")).orElseThrow();
    EbpfOptions options = EbpfOptions.defaults(lives, SystemClock.measure());
    if (arguments.length > 0) {
      options = options.withBtf(Path.of(arguments[0]));
    }
    EbpfSource source = new EbpfSource(options, new ProcFsReader());
    Optional<Unavailable> unavailable = source.probe();
    System.out.println(unavailable.map(Unavailable::toString).orElse("available"));
    if (unavailable.isEmpty()) {
      source.open();
      Process process = new ProcessBuilder("true").start();
      List<ProcessEvent> events = new ArrayList<>();
      while (events.stream().noneMatch(event -> isExit(event, process.pid()))) {
        source.poll(events::add, 100);
      }
      System.out.println("seen");
      source.close();
    }
  }

  private static boolean isExit(ProcessEvent event, long pid) {
    return event instanceof ProcessEvent.Exit exit && exit.tgid() == pid;
  }
}
