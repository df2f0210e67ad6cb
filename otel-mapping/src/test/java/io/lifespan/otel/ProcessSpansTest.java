package io.lifespan.otel;

import static io.lifespan.otel.Watch.BEGIN;
import static io.lifespan.otel.Watch.nanos;
import static io.opentelemetry.semconv.ErrorAttributes.ERROR_TYPE;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_ARGS_COUNT;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_COMMAND;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_COMMAND_ARGS;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_CREATION_TIME;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_EXECUTABLE_NAME;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_EXECUTABLE_PATH;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_EXIT_CODE;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_EXIT_TIME;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_INTERACTIVE;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_OWNER;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_PARENT_PID;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_PID;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_REAL_USER_ID;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_TITLE;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_USER_ID;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_VPID;
import static io.opentelemetry.semconv.incubating.ProcessIncubatingAttributes.PROCESS_WORKING_DIRECTORY;
import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.ProcessEvent;
import io.lifespan.event.ResourceUsage;
import io.lifespan.libc.Errno;
import io.lifespan.procfs.Bytes;
import io.lifespan.procfs.ProcCapture;
import io.lifespan.procfs.ProcFile;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.semconv.ServiceAttributes;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What the span of a process says. */
class ProcessSpansTest {

  private final Watch watch = new Watch(Watch.node());

  @Test
  void aSpanSaysAllThatIsKnownOfACommand() {
    watch.finds(9, 1, 0, "bash").begin().fork(BEGIN + 10, 9, 20);
    watch.exec(
        BEGIN + 11,
        20,
        Captured.of(20, "/usr/bin/make", "make", "-j4", "TOKEN=abc")
            .terminal(34816)
            .environment("OTEL_SERVICE_NAME=shop")
            .with(ProcFile.CWD, "/src/shop")
            .status("Uid:\t1000\t1001\t1001\t1001\nNSpid:\t20\t7\n"));
    watch.fork(BEGIN + 15, 20, 21).exit(BEGIN + 16, 21, 0).exit(BEGIN + 1_500, 20, 2 << 8);

    ProcessSpan span = watch.span(20);
    assertThat(span.getName()).isEqualTo("make");
    assertThat(span.getKind()).isEqualTo(SpanKind.INTERNAL);
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(span.getStatus().getDescription()).isEmpty();
    assertThat(span.getStartEpochNanos()).isEqualTo(Watch.EPOCH_NANOS + nanos(BEGIN + 10));
    assertThat(span.getEndEpochNanos()).isEqualTo(Watch.EPOCH_NANOS + nanos(BEGIN + 1_500));
    assertThat(span.getLatencyNanos()).isEqualTo(nanos(1_490));
    assertThat(span.hasEnded()).isTrue();
    assertThat(span.getResource().getAttribute(ServiceAttributes.SERVICE_NAME)).isEqualTo("shop");
    assertThat(span.getInstrumentationScopeInfo().getName()).isEqualTo("io.lifespan");
    assertThat(span.getEvents()).isEmpty();
    assertThat(span.getAttributes())
        .isEqualTo(
            Attributes.builder()
                .put(PROCESS_PID, 20)
                .put(PROCESS_PARENT_PID, 9)
                .put(PROCESS_EXECUTABLE_NAME, "make")
                .put(PROCESS_EXECUTABLE_PATH, "/usr/bin/make")
                .put(PROCESS_COMMAND, "make")
                .put(PROCESS_COMMAND_ARGS, List.of("make", "-j4", "TOKEN=***"))
                .put(PROCESS_ARGS_COUNT, 3)
                .put(PROCESS_WORKING_DIRECTORY, "/src/shop")
                .put(PROCESS_REAL_USER_ID, 1000)
                .put(PROCESS_USER_ID, 1001)
                .put(PROCESS_VPID, 7)
                .put(PROCESS_INTERACTIVE, true)
                .put(PROCESS_CREATION_TIME, "2023-11-14T22:30:00.010Z")
                .put(PROCESS_EXIT_TIME, "2023-11-14T22:30:01.500Z")
                .put(PROCESS_EXIT_CODE, 2)
                .put(ERROR_TYPE, "2")
                .put(Semconv.ARGUMENTS_STATE, "captured")
                .put(Semconv.EXEC_GENERATION, 1)
                .put(Semconv.FORKS, 1)
                .put(Semconv.DEPTH, 0)
                .put(Semconv.START_OBSERVED, "event")
                .put(Semconv.END_OBSERVED, "event")
                .build());
    assertThat(watch.listener.stats()).isEqualTo(new SpanStats(2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1));
  }

  @Test
  void aCommandThatComesAgainKeepsWhatIsItsOwn() {
    watch.finds(9, 1, 0, "bash").begin();
    for (int pid : new int[] {20, 21, 22}) {
      watch.fork(BEGIN + pid, 9, pid);
      watch.exec(
          BEGIN + pid,
          pid,
          Captured.of(pid, "/usr/bin/make", "make", "TOKEN=abc")
              .terminal(pid == 21 ? 34816 : 0)
              .with(ProcFile.CWD, pid == 22 ? "/other" : "/src")
              .status("Uid:\t" + pid + "\t1\t1\t1\nNSpid:\t" + pid + "\t" + (pid - 13) + "\n"));
      watch.exit(BEGIN + 30 + pid, pid, 0);
    }
    for (int pid : new int[] {20, 21, 22}) {
      ProcessSpan span = watch.span(pid);
      assertThat(span.getAttribute(PROCESS_COMMAND_ARGS)).containsExactly("make", "TOKEN=***");
      assertThat(span.getAttribute(PROCESS_INTERACTIVE)).isEqualTo(pid == 21);
      assertThat(span.getAttribute(PROCESS_WORKING_DIRECTORY))
          .isEqualTo(pid == 22 ? "/other" : "/src");
      assertThat(span.getAttribute(PROCESS_REAL_USER_ID)).isEqualTo(pid);
      assertThat(span.getAttribute(PROCESS_VPID)).isEqualTo(pid - 13);
    }
    assertThat(watch.listener.stats().redactions()).isEqualTo(3);
  }

  @Test
  void aProcessThatExecutedNothingHasItsParentsNameAndArgumentsButNotItsPlaces() {
    watch.finds(9, 1, 0, "bash").begin().fork(BEGIN + 10, 9, 20);
    watch.exec(
        BEGIN + 11,
        20,
        Captured.of(20, "/usr/sbin/worker", "worker", "-n")
            .with(ProcFile.CWD, "/srv")
            .status("Uid:\t5\t6\t6\t6\nNSpid:\t20\t7\n"));
    watch.fork(BEGIN + 15, 20, 21).exit(BEGIN + 16, 21, 0);

    ProcessSpan span = watch.span(21);
    assertThat(span.getName()).isEqualTo("worker");
    assertThat(span.getAttribute(Semconv.EXEC_GENERATION)).isZero();
    assertThat(span.getAttribute(PROCESS_EXECUTABLE_PATH)).isEqualTo("/usr/sbin/worker");
    assertThat(span.getAttribute(PROCESS_COMMAND_ARGS)).containsExactly("worker", "-n");
    assertThat(span.getAttribute(PROCESS_REAL_USER_ID)).isEqualTo(5);
    assertThat(span.getAttribute(PROCESS_USER_ID)).isEqualTo(6);
    assertThat(span.getAttribute(PROCESS_WORKING_DIRECTORY)).isNull();
    assertThat(span.getAttribute(PROCESS_VPID)).isNull();
    assertThat(span.getAttribute(PROCESS_INTERACTIVE)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "0x000, 0, , , ",
    "0x100, 1, 1, , ",
    "0x7f00, 127, 127, , ",
    "0xff00, 255, 255, , ",
    "0x009, 137, SIGKILL, SIGKILL, 9",
    "0x00f, 143, SIGTERM, SIGTERM, 15",
    "0x08b, 139, SIGSEGV, SIGSEGV, 11",
    "0x022, 162, SIGRTMIN, SIGRTMIN, 34"
  })
  void theEndIsToldByCodeAndSignal(
      String status, long code, String errorType, String signal, Long number) {
    watch.fork(BEGIN, 99, 20).exit(BEGIN + 1, 20, Integer.decode(status));
    ProcessSpan span = watch.span(20);
    assertThat(span.getAttribute(PROCESS_EXIT_CODE)).isEqualTo(code);
    assertThat(span.getAttribute(ERROR_TYPE)).isEqualTo(errorType);
    assertThat(span.getAttribute(Semconv.EXIT_SIGNAL_NAME)).isEqualTo(signal);
    assertThat(span.getAttribute(Semconv.EXIT_SIGNAL)).isEqualTo(number);
    assertThat(span.getAttribute(Semconv.CORE_DUMP))
        .isEqualTo(status.equals("0x08b") ? true : null);
    assertThat(span.getStatus().getStatusCode())
        .isEqualTo(code == 0 ? StatusCode.UNSET : StatusCode.ERROR);
  }

  @Test
  void aProcessAliveWhenTheWatchEndsSaysSo() {
    watch.fork(BEGIN, 99, 20).exec(BEGIN + 1, 20, "sleep");
    watch.table.endWatch(nanos(BEGIN + 100));
    ProcessSpan span = watch.spans.get(0);
    assertThat(span.getAttribute(Semconv.END_OBSERVED)).isEqualTo("not_yet");
    assertThat(span.getAttribute(PROCESS_EXIT_CODE)).isNull();
    assertThat(span.getAttribute(PROCESS_EXIT_TIME)).isNull();
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(span.getLatencyNanos()).isEqualTo(nanos(100));
  }

  @Test
  void aProcessFoundAliveSaysSo() {
    watch.finds(9, 1, 500_000, "sshd").begin();
    watch.table.endWatch(nanos(BEGIN + 100));
    ProcessSpan span = watch.spans.get(0);
    assertThat(span.getName()).isEqualTo("sshd");
    assertThat(span.getAttribute(Semconv.START_OBSERVED)).isEqualTo("proc");
    assertThat(span.getStartEpochNanos()).isEqualTo(Watch.EPOCH_NANOS + nanos(500_000));
  }

  @Test
  void whatHappenedInALifeAreEventsAtTheirTimes() {
    watch.fork(BEGIN, 99, 20).exec(BEGIN + 1, 20, "env").exec(BEGIN + 2, 20, "app");
    watch
        .apply(new ProcessEvent.Uid(nanos(BEGIN + 3), 20, 20, 33, -2))
        .apply(new ProcessEvent.Gid(nanos(BEGIN + 4), 20, 20, 34, 35))
        .apply(new ProcessEvent.Sid(nanos(BEGIN + 5), 20, 20))
        .apply(new ProcessEvent.Ptrace(nanos(BEGIN + 6), 20, 20, 77, 77))
        .apply(new ProcessEvent.Ptrace(nanos(BEGIN + 7), 20, 20, 0, 0))
        .apply(new ProcessEvent.Comm(nanos(BEGIN + 8), 20, 20, Bytes.of("app: idle")))
        .apply(new ProcessEvent.CoreDump(nanos(BEGIN + 9), 20, 20, 99, 99))
        .exit(BEGIN + 10, 20, 0x8b);

    ProcessSpan span = watch.span(20);
    assertThat(span.getEvents())
        .containsExactly(
            event(2, "lifespan.process.exec", Attributes.of(Semconv.FORMER_NAME, "env")),
            event(
                3,
                "lifespan.process.credentials",
                Attributes.of(PROCESS_REAL_USER_ID, 33L, PROCESS_USER_ID, 4294967294L)),
            event(
                4,
                "lifespan.process.credentials",
                Attributes.of(Semconv.REAL_GROUP_ID, 34L, Semconv.GROUP_ID, 35L)),
            event(5, "lifespan.process.session", Attributes.empty()),
            event(6, "lifespan.process.ptrace", Attributes.of(Semconv.TRACER_PID, 77L)),
            event(7, "lifespan.process.ptrace", Attributes.empty()),
            event(8, "lifespan.process.rename", Attributes.of(Semconv.FORMER_NAME, "app")),
            event(9, "lifespan.process.coredump", Attributes.empty()));
    assertThat(span.getName()).isEqualTo("app");
    assertThat(span.getAttribute(PROCESS_TITLE)).isEqualTo("app: idle");
    assertThat(span.getAttribute(PROCESS_USER_ID)).isEqualTo(4294967294L);
    assertThat(span.getAttribute(Semconv.CORE_DUMP)).isTrue();
  }

  @Test
  void whatAProcessUsedIsOnItsSpan() {
    watch.fork(BEGIN, 99, 20);
    watch.exit(
        BEGIN + 9,
        20,
        4096,
        new ResourceUsage(2_500_000, 500_000, 8192, 3, 4, 5, 6, 7L, 8L, 9L, 10L));
    ProcessSpan span = watch.span(20);
    assertThat(span.getAttribute(Semconv.CPU_USER_TIME)).isEqualTo(0.0025);
    assertThat(span.getAttribute(Semconv.CPU_SYSTEM_TIME)).isEqualTo(0.0005);
    assertThat(span.getAttribute(Semconv.CPU_WAIT_TIME)).isEqualTo(9e-9);
    assertThat(span.getAttribute(Semconv.MEMORY_PEAK)).isEqualTo(8192);
    assertThat(span.getAttribute(Semconv.DISK_READ)).isEqualTo(7);
    assertThat(span.getAttribute(Semconv.DISK_WRITTEN)).isEqualTo(8);
    assertThat(span.getAttribute(Semconv.DISK_WAIT_TIME)).isEqualTo(1e-8);
    assertThat(span.getAttribute(Semconv.MAJOR_FAULTS)).isEqualTo(4);
  }

  @Test
  void whatIsNotKnownOfItsUseAndAPeakOfWhatRanBeforeAreAbsent() {
    watch.fork(BEGIN, 99, 20);
    watch.exit(
        BEGIN + 9, 20, 8192, new ResourceUsage(1, 2, 8192, 0, 0, 0, 0, null, null, null, null));
    assertThat(watch.span(20).getAttributes().asMap())
        .containsKeys(Semconv.CPU_USER_TIME, Semconv.CPU_SYSTEM_TIME)
        .doesNotContainKeys(
            Semconv.MEMORY_PEAK,
            Semconv.CPU_WAIT_TIME,
            Semconv.DISK_READ,
            Semconv.DISK_WRITTEN,
            Semconv.DISK_WAIT_TIME,
            Semconv.MAJOR_FAULTS);
  }

  @Test
  void theExitOfTheFirstThreadIsAnEvent() {
    watch.fork(BEGIN, 99, 20);
    watch.apply(new ProcessEvent.Fork(nanos(BEGIN + 1), 99, 99, 21, 20, null));
    watch.exit(BEGIN + 2, 20, 5 << 8);
    watch.apply(new ProcessEvent.Exit(nanos(BEGIN + 50), 21, 20, 7 << 8, -1, 0, 0, null));
    ProcessSpan span = watch.span(20);
    assertThat(span.getEvents())
        .containsExactly(
            event(2, "lifespan.process.leader_exit", Attributes.of(PROCESS_EXIT_CODE, 5L)));
    assertThat(span.getAttribute(PROCESS_EXIT_CODE)).isEqualTo(7);
  }

  @Test
  void eventsBeyondTheBoundAreCounted() {
    watch.fork(BEGIN, 99, 20);
    for (int i = 0; i < 40; i++) {
      watch.apply(new ProcessEvent.Sid(nanos(BEGIN + i), 20, 20));
    }
    watch.exit(BEGIN + 50, 20, 0);
    assertThat(watch.span(20).getEvents()).hasSize(32);
    assertThat(watch.span(20).getTotalRecordedEvents()).isEqualTo(40);
  }

  @Test
  void whoAdoptedAnOrphanIsTold() {
    watch.fork(BEGIN, 99, 20).fork(BEGIN + 1, 20, 21).exit(BEGIN + 2, 20, 0);
    watch.exit(BEGIN + 300, 21, 0, 1);
    assertThat(watch.span(21).getAttribute(PROCESS_PARENT_PID)).isEqualTo(20);
    assertThat(watch.span(21).getAttribute(Semconv.ADOPTED_BY)).isEqualTo(1);
    assertThat(watch.span(21).getParentSpanId()).isEqualTo(watch.span(20).getSpanId());
  }

  @Test
  void aProcessThatChangedItsUserBeforeItForkedHandsThatOn() {
    watch.fork(BEGIN, 99, 20);
    watch.exec(BEGIN + 1, 20, Captured.of(20, "/bin/x", "x").status("Uid:\t0\t0\t0\t0\n"));
    watch.apply(new ProcessEvent.Uid(nanos(BEGIN + 2), 20, 20, 33, 33));
    watch.fork(BEGIN + 3, 20, 21).exit(BEGIN + 4, 21, 0);
    assertThat(watch.span(21).getAttribute(PROCESS_USER_ID)).isEqualTo(33);
  }

  @ParameterizedTest
  @CsvSource({
    "3, unavailable_gone",
    "2, unavailable_gone",
    "13, unavailable_permission",
    "1, unavailable_permission",
    "24, unavailable_failed"
  })
  void argumentsThatCouldNotBeReadSayWhy(int errno, String state) {
    watch.fork(BEGIN, 99, 20);
    watch.exec(
        BEGIN + 1, 20, Captured.nothingBut(20, "true").without(ProcFile.CMDLINE, new Errno(errno)));
    watch.exit(BEGIN + 2, 20, 0);
    ProcessSpan span = watch.span(20);
    assertThat(span.getName()).isEqualTo("true");
    assertThat(span.getAttribute(Semconv.ARGUMENTS_STATE)).isEqualTo(state);
    assertThat(span.getAttribute(PROCESS_ARGS_COUNT)).isNull();
    assertThat(span.getAttribute(PROCESS_EXECUTABLE_NAME)).isNull();
  }

  @ParameterizedTest
  @EnumSource(ArgumentsMode.class)
  void onlyWhatWasChosenOfTheArgumentsLeavesTheMachine(ArgumentsMode mode) {
    SpanOptions node = Watch.node();
    Watch chosen =
        new Watch(
            new SpanOptions(
                node.scope(),
                node.longLivedAfter(),
                mode,
                node.maxSpansInTrace(),
                node.defaultServiceName()));
    chosen.fork(BEGIN, 99, 20);
    chosen.exec(BEGIN + 1, 20, Captured.of(20, "/bin/x", "x", "private"));
    chosen.exit(BEGIN + 2, 20, 0);
    ProcessSpan span = chosen.span(20);
    assertThat(span.getName()).isEqualTo("x");
    boolean all = mode == ArgumentsMode.REDACTED;
    assertThat(span.getAttribute(PROCESS_COMMAND_ARGS))
        .isEqualTo(all ? List.of("x", "private") : null);
    assertThat(span.getAttributes().toString().contains("private")).isEqualTo(all);
    assertThat(span.getAttribute(PROCESS_ARGS_COUNT))
        .isEqualTo(mode == ArgumentsMode.OFF ? null : 2L);
    assertThat(span.getAttribute(PROCESS_COMMAND))
        .isEqualTo(mode == ArgumentsMode.OFF ? null : "x");
    assertThat(span.getAttribute(Semconv.ARGUMENTS_STATE))
        .isEqualTo(all ? "captured" : mode == ArgumentsMode.OFF ? "off" : "counted");
  }

  @Test
  void longArgumentsAreCutAndCounted() {
    String[] arguments = Collections.nCopies(300, "a").toArray(String[]::new);
    arguments[0] = "x";
    arguments[1] = "é".repeat(2_000);
    watch.fork(BEGIN, 99, 20).exec(BEGIN + 1, 20, Captured.of(20, "/bin/x", arguments));
    watch.exit(BEGIN + 2, 20, 0);
    ProcessSpan span = watch.span(20);
    List<String> exported = span.getAttribute(PROCESS_COMMAND_ARGS);
    assertThat(exported).hasSize(256);
    assertThat(exported.get(1)).isEqualTo("é".repeat(1_024) + "…[4000 bytes]");
    assertThat(span.getAttribute(PROCESS_ARGS_COUNT)).isEqualTo(300);
    assertThat(span.getAttribute(Semconv.ARGUMENTS_STATE)).isEqualTo("cut");
    assertThat(watch.listener.stats().argumentsCut()).isEqualTo(1);
  }

  @Test
  void ofArgumentsThatWereCapturedInPartNoCountIsTold() {
    ProcCapture capture =
        Captured.of(20, "/bin/x", "x")
            .startedAt(99, BEGIN / 10)
            .capture()
            .withBeginning(ProcFile.CMDLINE, Bytes.of("x\0-a\0-lo"));
    watch.fork(BEGIN, 99, 20).apply(new ProcessEvent.Exec(nanos(BEGIN + 1), 20, 20, capture));
    watch.exit(BEGIN + 2, 20, 0);
    ProcessSpan span = watch.span(20);
    assertThat(span.getAttribute(PROCESS_COMMAND_ARGS)).containsExactly("x", "-a", "-lo");
    assertThat(span.getAttribute(PROCESS_ARGS_COUNT)).isNull();
    assertThat(span.getAttribute(Semconv.ARGUMENTS_STATE)).isEqualTo("cut");
  }

  @Test
  void anExecutableThatIsGoneIsToldApartFromItsName() {
    watch.fork(BEGIN, 99, 20);
    watch.exec(BEGIN + 1, 20, Captured.of(20, "/tmp/a.out (deleted)", "./a.out"));
    watch.exit(BEGIN + 2, 20, 0);
    ProcessSpan span = watch.span(20);
    assertThat(span.getAttribute(PROCESS_EXECUTABLE_PATH)).isEqualTo("/tmp/a.out");
    assertThat(span.getAttribute(PROCESS_EXECUTABLE_NAME)).isEqualTo("a.out");
    assertThat(span.getAttribute(Semconv.EXECUTABLE_DELETED)).isTrue();
  }

  @Test
  void aTitleThatADaemonGaveItselfIsNoArgument() {
    watch.fork(BEGIN, 99, 20);
    watch.exec(
        BEGIN + 1,
        20,
        Captured.of(20, "/usr/sbin/nginx", "nginx")
            .with(ProcFile.CMDLINE, "nginx: master process token=abc\0\0\0"));
    watch.exit(BEGIN + 2, 20, 0);
    ProcessSpan span = watch.span(20);
    assertThat(span.getName()).isEqualTo("nginx");
    assertThat(span.getAttribute(PROCESS_TITLE)).isEqualTo("nginx: master process token=***");
    assertThat(span.getAttribute(PROCESS_COMMAND_ARGS)).isNull();
    assertThat(span.getAttribute(Semconv.ARGUMENTS_STATE)).isEqualTo("title");
  }

  @Test
  void ofAProcessOfWhichNothingIsKnownThereIsASpanAllTheSame() {
    watch.fork(BEGIN, 99, 20).exit(BEGIN + 1, 20, 0);
    ProcessSpan span = watch.span(20);
    assertThat(span.getName()).isEqualTo("process");
    assertThat(span.getAttribute(Semconv.ARGUMENTS_STATE)).isEqualTo("unavailable_not_read");
  }

  @Test
  void aSpanThatFailsIsCountedAndCostsNoOther() {
    watch.refusing = true;
    watch.fork(BEGIN, 99, 20).exit(BEGIN + 1, 20, 0);
    watch.table.settleAll();
    watch.refusing = false;
    watch.fork(BEGIN + 2, 99, 21).exit(BEGIN + 3, 21, 0);
    watch.table.settleAll();
    assertThat(watch.spans).hasSize(1);
    assertThat(watch.listener.stats()).isEqualTo(new SpanStats(1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0));
  }

  @Test
  void theIdsOfALiveProcessAreKnown() {
    watch.fork(BEGIN, 99, 20);
    assertThat(watch.listener.spanContext(watch.table.find(20)).getSpanId())
        .isEqualTo(watch.identity.spanId(Watch.key(20, BEGIN)));
  }

  private static EventData event(long millis, String name, Attributes attributes) {
    return EventData.create(Watch.EPOCH_NANOS + nanos(BEGIN + millis), name, attributes);
  }

  @Test
  void theOwnerIsTheUserWhoseRightsItHas() {
    watch.finds(9, 1, 0, "bash").begin().fork(BEGIN + 10, 9, 20);
    watch.exec(
        BEGIN + 11, 20, Captured.of(20, "/bin/x", "x").status("Uid:\t0\t1001\t0\t0\nNSpid:\t20\n"));
    watch.exit(BEGIN + 12, 20, 0);

    assertThat(watch.span(20).getAttribute(PROCESS_OWNER)).isEqualTo("ada");
  }

  @Test
  void withinAContainerANumberIsNotNamedAfterAUserOfTheHost() {
    watch.finds(9, 1, 0, "bash").begin().fork(BEGIN + 10, 9, 20).fork(BEGIN + 10, 9, 21);
    Captured nested =
        Captured.of(20, "/bin/x", "x").status("Uid:\t1001\t1001\t0\t0\nNSpid:\t20\t1\n");
    Captured contained =
        Captured.of(21, "/bin/x", "x")
            .status("Uid:\t1001\t1001\t0\t0\nNSpid:\t21\n")
            .with(ProcFile.CGROUP, "0::/docker/" + "0123456789abcdef".repeat(4) + "\n");
    watch.exec(BEGIN + 11, 20, nested).exec(BEGIN + 11, 21, contained);
    watch.exit(BEGIN + 12, 20, 0).exit(BEGIN + 12, 21, 0);

    for (int pid : new int[] {20, 21}) {
      assertThat(watch.span(pid).getAttribute(PROCESS_USER_ID)).isEqualTo(1001);
      assertThat(watch.span(pid).getAttribute(PROCESS_OWNER)).isNull();
    }
  }

  @Test
  void anAdoptionIsAnEventAtTheEndOfTheParent() {
    watch.finds(9, 1, 0, "bash").begin().fork(BEGIN + 10, 9, 20).fork(BEGIN + 11, 20, 21);
    watch.exec(BEGIN + 12, 21, "a").exit(BEGIN + 20, 20, 0).exec(BEGIN + 30, 21, "b");
    watch.table.tick(nanos(BEGIN + 500));
    watch.exit(BEGIN + 900, 21, 0, 1);

    ProcessSpan span = watch.span(21);
    assertThat(span.getAttribute(PROCESS_PARENT_PID)).isEqualTo(20);
    assertThat(span.getAttribute(Semconv.ADOPTED_BY)).isEqualTo(1);
    assertThat(span.getEvents())
        .extracting(EventData::getName)
        .containsExactly(Semconv.EVENT_ADOPTION, Semconv.EVENT_EXEC);
    EventData adoption = span.getEvents().get(0);
    assertThat(adoption.getEpochNanos()).isEqualTo(Watch.EPOCH_NANOS + nanos(BEGIN + 20));
    assertThat(adoption.getAttributes()).isEqualTo(Attributes.of(Semconv.ADOPTED_BY, 1L));
  }

  @Test
  void withoutTheTimeOfTheParentsEndAnAdoptionIsNoEvent() {
    watch.finds(9, 1, 0, "bash").begin().fork(BEGIN + 10, 9, 20).exit(BEGIN + 20, 20, 0, 1);

    assertThat(watch.span(20).getAttribute(Semconv.ADOPTED_BY)).isEqualTo(1);
    assertThat(watch.span(20).getEvents()).isEmpty();
  }

  @Test
  void whatWasNotWatchedFromItsStartIsNotSaidToHaveDoneNothing() {
    watch.finds(9, 1, 0, "bash").begin().exit(BEGIN + 20, 9, 0);

    assertThat(watch.span(9).getAttribute(Semconv.FORKS)).isNull();
    assertThat(watch.span(9).getAttribute(Semconv.EXEC_GENERATION)).isNull();
    assertThat(watch.span(9).getAttribute(PROCESS_CREATION_TIME)).isNotNull();
  }
}
