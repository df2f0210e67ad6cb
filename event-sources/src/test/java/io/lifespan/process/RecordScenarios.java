package io.lifespan.process;

import io.lifespan.event.ProcessEvent;
import io.lifespan.event.capture.SystemClock;
import io.lifespan.event.replay.EventRecorder;
import io.lifespan.procfs.ProcCapture;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntConsumer;

/**
 * Makes the recordings that {@link ReplayTest} plays, anew from the running kernel, as root: give
 * it the directory for them. Each holds only the events of the scenario's own processes, and as
 * comments the truth that the scenario told.
 */
final class RecordScenarios {

  private static final List<String> NAMES =
      List.of(
          "code77",
          "segv",
          "leader",
          "thread-exec",
          "double-fork",
          "subreaper",
          "clone-parent",
          "reuse",
          "chain",
          "vfork",
          "memfd",
          "changes",
          "traced",
          "deep");

  private RecordScenarios() {}

  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    Path program = Scenario.compile(Files.createTempDirectory("scenarios"));
    for (String name : NAMES) {
      record(program, name, directory.resolve(name + ".events"));
    }
  }

  private static void record(Path program, String name, Path file) throws Exception {
    List<ProcessEvent> events = new ArrayList<>();
    try (LiveTable live = new LiveTable();
        Scenario scenario = Scenario.play(program, name)) {
      live.witness = events::add;
      live.until(scenario::isOver);
      live.until(() -> live.hasEnded(scenario.pid()));
      live.until(
          () -> scenario.processes.values().stream().allMatch(made -> live.hasEnded(made.pid())));
      try (Writer writer = Files.newBufferedWriter(file)) {
        try (EventRecorder recorder = new EventRecorder(writer, SystemClock.measure(), nobody())) {
          truth(scenario, writer);
          Set<Integer> own = new HashSet<>(Set.of(scenario.pid()));
          events.stream().filter(event -> isOwn(event, own)).forEach(recorder::accept);
        }
      }
    }
  }

  private static void truth(Scenario scenario, Writer writer) throws Exception {
    for (Map.Entry<String, Scenario.Made> each : new TreeMap<>(scenario.processes).entrySet()) {
      Scenario.Made made = each.getValue();
      writer.write("# process " + each.getKey() + " " + made.pid() + " " + made.parentPid() + "\n");
      Integer end = scenario.ends.get(each.getKey());
      if (end != null) {
        writer.write("# end " + each.getKey() + " " + end + "\n");
      }
    }
  }

  private static boolean isOwn(ProcessEvent event, Set<Integer> own) {
    if (event instanceof ProcessEvent.Fork fork) {
      return own.contains(fork.childTgid())
          || (own.contains(fork.parentTgid()) && own.add(fork.childTgid()));
    } else if (event instanceof ProcessEvent.Exec exec) {
      return own.contains(exec.tgid());
    } else if (event instanceof ProcessEvent.Exit exit) {
      return own.contains(exit.tgid());
    } else if (event instanceof ProcessEvent.Comm comm) {
      return own.contains(comm.tgid());
    } else if (event instanceof ProcessEvent.Uid uid) {
      return own.contains(uid.tgid());
    } else if (event instanceof ProcessEvent.Gid gid) {
      return own.contains(gid.tgid());
    } else if (event instanceof ProcessEvent.Sid sid) {
      return own.contains(sid.tgid());
    } else if (event instanceof ProcessEvent.Ptrace ptrace) {
      return own.contains(ptrace.tgid());
    } else if (event instanceof ProcessEvent.CoreDump dump) {
      return own.contains(dump.tgid());
    }
    return false;
  }

  private static ProcReader nobody() {
    return new ProcReader() {
      @Override
      public ProcCapture read(int pid) {
        return new ProcCapture();
      }

      @Override
      public ProcCapture readStat(int pid) {
        return read(pid);
      }

      @Override
      public void list(IntConsumer pids) {}
    };
  }
}
