package io.lifespan.otel;

import io.lifespan.process.Image;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.Cmdline;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.lifespan.procfs.ProcStat;
import io.lifespan.procfs.ProcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Decodes what was captured of a process at an exec. Never throws: from odd bytes little is learnt.
 */
final class CommandReader {

  /** A path is at most 4,096 bytes. */
  private static final int MAX_PATH = 4_096;

  /** How much of an argument is looked at, and how much of it is exported. */
  private static final int MAX_READ = 8_192;

  private static final int MAX_ARGUMENT = 1_024;
  private static final int MAX_ARGUMENTS = 256;
  private static final int MAX_ARGUMENTS_LENGTH = 8_192;

  private final ArgumentsMode mode;
  private final ProcessResources resources;
  private final Redactor redactor;
  private final RecentCommands recent = new RecentCommands();
  private final AtomicLong argumentsCut = new AtomicLong();

  CommandReader(ArgumentsMode mode, ProcessResources resources, Redactor redactor) {
    this.mode = mode;
    this.resources = resources;
    this.redactor = redactor;
  }

  /** How many commands had more or longer arguments than are exported. */
  long argumentsCut() {
    return argumentsCut.get();
  }

  Command read(Image image) {
    RecentCommands.Entry known = recent.find(image);
    if (known == null) {
      long redactions = redactor.redactions();
      Command command = decode(image);
      recent.remember(new RecentCommands.Entry(image, command, redactor.redactions() - redactions));
      return command;
    }
    redactor.count(known.redactions());
    if (known.command().argumentsState() == ArgumentsState.CUT) {
      argumentsCut.incrementAndGet();
    }
    ProcCapture capture = Objects.requireNonNull(image.capture());
    ProcStat stat = stat(capture);
    ProcStatus status = status(capture);
    return known.command().of(pid(stat), innermostPid(status), interactive(stat), user(status));
  }

  private Command decode(Image image) {
    ProcCapture capture = image.capture() == null ? new ProcCapture() : image.capture();
    ProcStat stat = stat(capture);
    ProcStatus status = status(capture);
    Cmdline cmdline = cmdline(capture);
    List<Bytes> given = cmdline == null || cmdline.title() ? List.of() : cmdline.arguments();
    Bytes executable = capture.get(ProcFile.EXE);
    Exported exported = export(capture, cmdline, given);
    String path = executable == null ? null : redactor.text(Text.of(executable, MAX_PATH));
    String kept = path == null ? null : CommandName.withoutDeleted(path);
    return new Command(
        redactor.text(CommandName.of(given, executable, image.comm())),
        kept == null ? null : kept.substring(kept.lastIndexOf('/') + 1),
        kept,
        kept != null && !kept.equals(path),
        exported.state,
        exported.count,
        exported.argument0,
        exported.arguments,
        title(cmdline),
        pid(stat),
        path(capture, ProcFile.CWD),
        innermostPid(status),
        interactive(stat),
        user(status),
        resources.of(image.capture()));
  }

  /** What leaves the machine of the arguments. */
  private record Exported(
      ArgumentsState state,
      @Nullable Integer count,
      @Nullable String argument0,
      List<String> arguments) {}

  private Exported export(ProcCapture capture, @Nullable Cmdline cmdline, List<Bytes> given) {
    if (mode == ArgumentsMode.OFF) {
      return new Exported(ArgumentsState.OFF, null, null, List.of());
    }
    if (cmdline == null) {
      ArgumentsState state = ArgumentsState.unavailable(capture.reason(ProcFile.CMDLINE));
      return new Exported(state, null, null, List.of());
    }
    if (cmdline.title()) {
      return new Exported(ArgumentsState.TITLE, null, null, List.of());
    }
    if (given.isEmpty()) {
      return new Exported(ArgumentsState.NONE, 0, null, List.of());
    }
    boolean truncated = capture.truncated(ProcFile.CMDLINE);
    Integer count = truncated ? null : (Integer) given.size();
    if (mode == ArgumentsMode.COUNT) {
      return new Exported(ArgumentsState.COUNTED, count, argument(given.get(0)), List.of());
    }
    List<String> arguments = new ArrayList<>(Math.min(given.size(), MAX_ARGUMENTS));
    boolean cut = redact(given, arguments) || truncated;
    if (cut) {
      argumentsCut.incrementAndGet();
    }
    ArgumentsState state = cut ? ArgumentsState.CUT : ArgumentsState.CAPTURED;
    return new Exported(state, count, arguments.get(0), arguments);
  }

  /** Decodes and masks first and cuts then, so that no cut hides a secret from its pattern. */
  private boolean redact(List<Bytes> given, List<String> exported) {
    List<String> decoded = new ArrayList<>(Math.min(given.size(), MAX_ARGUMENTS));
    int room = MAX_ARGUMENTS_LENGTH;
    for (int i = 0; i < given.size() && decoded.size() < MAX_ARGUMENTS && room > 0; i++) {
      String text = Text.of(given.get(i), MAX_READ);
      room -= Math.min(text.length(), MAX_ARGUMENT);
      decoded.add(text);
    }
    boolean cut = decoded.size() < given.size();
    List<String> redacted = redactor.arguments(decoded);
    for (int i = 0; i < redacted.size(); i++) {
      cut |= redacted.get(i).length() > MAX_ARGUMENT;
      exported.add(Text.cut(redacted.get(i), MAX_ARGUMENT, given.get(i).length()));
    }
    return cut;
  }

  private @Nullable String title(@Nullable Cmdline cmdline) {
    return cmdline == null || !cmdline.title() || mode == ArgumentsMode.OFF
        ? null
        : argument(cmdline.arguments().get(0));
  }

  private String argument(Bytes argument) {
    String text = redactor.text(Text.of(argument, MAX_READ));
    return Text.cut(text, MAX_ARGUMENT, argument.length());
  }

  private @Nullable String path(ProcCapture capture, ProcFile file) {
    Bytes path = capture.get(file);
    return path == null ? null : redactor.text(Text.of(path, MAX_PATH));
  }

  private static @Nullable Cmdline cmdline(ProcCapture capture) {
    Bytes content = capture.get(ProcFile.CMDLINE);
    return content == null ? null : Cmdline.parse(content, capture.truncated(ProcFile.CMDLINE));
  }

  private static @Nullable ProcStat stat(ProcCapture capture) {
    Bytes text = capture.get(ProcFile.STAT);
    return text == null ? null : ProcStat.parse(text);
  }

  private static @Nullable ProcStatus status(ProcCapture capture) {
    Bytes text = capture.get(ProcFile.STATUS);
    return text == null ? null : ProcStatus.parse(text);
  }

  private static @Nullable Integer pid(@Nullable ProcStat stat) {
    return stat == null ? null : (Integer) stat.pid();
  }

  private static @Nullable Boolean interactive(@Nullable ProcStat stat) {
    return stat == null ? null : (Boolean) (stat.terminal() != 0);
  }

  private static @Nullable Integer innermostPid(@Nullable ProcStatus status) {
    List<Integer> pids = status == null ? null : status.namespacePids();
    return pids == null || pids.size() < 2 ? null : pids.get(pids.size() - 1);
  }

  private static @Nullable UserIds user(@Nullable ProcStatus status) {
    Long real = status == null ? null : status.realUid();
    Long effective = status == null ? null : status.effectiveUid();
    return real == null || effective == null ? null : new UserIds(real, effective);
  }
}
