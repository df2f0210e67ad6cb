package io.lifespan.otel;

import static io.opentelemetry.api.common.AttributeKey.booleanKey;
import static io.opentelemetry.api.common.AttributeKey.doubleKey;
import static io.opentelemetry.api.common.AttributeKey.longKey;
import static io.opentelemetry.api.common.AttributeKey.stringKey;

import io.opentelemetry.api.common.AttributeKey;

/**
 * Names of attributes and events for which OpenTelemetry's semantic conventions have none. All
 * others are used from the conventions' own constants.
 */
public final class Semconv {

  /** Name of the instrumentation scope of everything exported. */
  public static final String SCOPE = "io.lifespan";

  /** Name of the signal that ended a process, for example {@code SIGKILL}. */
  public static final AttributeKey<String> EXIT_SIGNAL_NAME =
      stringKey("lifespan.exit.signal.name");

  /** Number of the signal that ended a process. */
  public static final AttributeKey<Long> EXIT_SIGNAL = longKey("lifespan.exit.signal.number");

  /** True if a core was dumped; absent else. */
  public static final AttributeKey<Boolean> CORE_DUMP = booleanKey("lifespan.core_dump");

  /** How many programs a process executed one after the other; 0: it ran its parent's program. */
  public static final AttributeKey<Long> EXEC_GENERATION = longKey("lifespan.exec.generation");

  /** How many processes it made. */
  public static final AttributeKey<Long> FORKS = longKey("lifespan.forks");

  /** How many processes are above it in its trace. */
  public static final AttributeKey<Long> DEPTH = longKey("lifespan.depth");

  /** Seconds on a CPU in its own code, its threads included. */
  public static final AttributeKey<Double> CPU_USER_TIME = doubleKey("lifespan.cpu.user_time");

  /** Seconds on a CPU in the kernel, its threads included. */
  public static final AttributeKey<Double> CPU_SYSTEM_TIME = doubleKey("lifespan.cpu.system_time");

  /** Seconds that it was ready to run and had no CPU. */
  public static final AttributeKey<Double> CPU_WAIT_TIME = doubleKey("lifespan.cpu.wait_time");

  /** The most memory resident at a time, in bytes. */
  public static final AttributeKey<Long> MEMORY_PEAK = longKey("lifespan.memory.peak");

  /** Bytes read from storage. */
  public static final AttributeKey<Long> DISK_READ = longKey("lifespan.disk.read");

  /** Bytes that it caused to be written to storage. */
  public static final AttributeKey<Long> DISK_WRITTEN = longKey("lifespan.disk.written");

  /** Seconds that it waited for storage. */
  public static final AttributeKey<Double> DISK_WAIT_TIME = doubleKey("lifespan.disk.wait_time");

  /** Pages that had to be read from storage before it could go on. */
  public static final AttributeKey<Long> MAJOR_FAULTS = longKey("lifespan.page_faults.major");

  /** How its start became known: {@code event}, {@code proc}, {@code inferred}. */
  public static final AttributeKey<String> START_OBSERVED = stringKey("lifespan.start.observed");

  /** How its end became known; {@code not_yet}: it was alive when the watch ended. */
  public static final AttributeKey<String> END_OBSERVED = stringKey("lifespan.end.observed");

  /** Pid of who had adopted it by its end; absent if its parent was still there. */
  public static final AttributeKey<Long> ADOPTED_BY = longKey("lifespan.adopted_by");

  /** True if events were lost during its life; absent else. */
  public static final AttributeKey<Boolean> AFFECTED_BY_LOSS =
      booleanKey("lifespan.affected_by_loss");

  /** What became of its arguments: see {@link ArgumentsState}. */
  public static final AttributeKey<String> ARGUMENTS_STATE = stringKey("lifespan.arguments.state");

  /** True if the executable file had no name any more when it was executed; absent else. */
  public static final AttributeKey<Boolean> EXECUTABLE_DELETED =
      booleanKey("lifespan.executable.deleted");

  /** Why a span has a link: see {@link LinkReason}. */
  public static final AttributeKey<String> LINK_REASON = stringKey("lifespan.link.reason");

  /** The name a process had before an exec or a rename. */
  public static final AttributeKey<String> FORMER_NAME = stringKey("lifespan.former_name");

  /** Its new real group id. */
  public static final AttributeKey<Long> REAL_GROUP_ID = longKey("lifespan.real_group.id");

  /** Its new effective group id. */
  public static final AttributeKey<Long> GROUP_ID = longKey("lifespan.group.id");

  /** Pid of the tracer that attached to it; absent if it detached. */
  public static final AttributeKey<Long> TRACER_PID = longKey("lifespan.tracer.pid");

  /** Which boot of the host it is, as the kernel draws it. */
  public static final AttributeKey<String> HOST_BOOT_ID = stringKey("lifespan.host.boot_id");

  /** The systemd unit that a process belongs to. */
  public static final AttributeKey<String> SYSTEMD_UNIT = stringKey("lifespan.systemd.unit");

  /** Where events come from: the name of a source, {@code connector} ... Of metrics. */
  public static final AttributeKey<String> SOURCE = stringKey("lifespan.source");

  /** The kind of an event, by the names of the setting lifespan.events. Of metrics. */
  public static final AttributeKey<String> EVENT = stringKey("lifespan.event");

  /** What had no room for events: {@code receive_buffer}, {@code queue}. */
  public static final AttributeKey<String> LOSS_PLACE = stringKey("lifespan.loss.place");

  /** How many events were lost. */
  public static final AttributeKey<Long> LOSS_COUNT = longKey("lifespan.loss.count");

  /** The setting that would have prevented it. */
  public static final AttributeKey<String> SETTING_NAME = stringKey("lifespan.setting.name");

  /** The present value of that setting. */
  public static final AttributeKey<String> SETTING_VALUE = stringKey("lifespan.setting.value");

  /** What became of something that is counted. Of metrics. */
  public static final AttributeKey<String> OUTCOME = stringKey("lifespan.outcome");

  /** The call that blocks: {@code stat}, {@code newfstatat} ... */
  public static final AttributeKey<String> CALL = stringKey("lifespan.call");

  /** For how long so far, or in all, in seconds: a block, a stall, the state of a mount. */
  public static final AttributeKey<Double> LASTED = doubleKey("lifespan.lasted");

  /** The kernel's function that a blocked thread waits in. */
  public static final AttributeKey<String> WCHAN = stringKey("lifespan.wchan");

  /** How a mount fares: {@code healthy}, {@code slow}, {@code stuck}, {@code failing} ... */
  public static final AttributeKey<String> MOUNT_STATE = stringKey("lifespan.mount.state");

  /** How long a mount was stuck in all, in seconds. */
  public static final AttributeKey<Double> MOUNT_LOST = doubleKey("lifespan.mount.lost");

  /** How many threads wait for one that is blocked. */
  public static final AttributeKey<Long> STALL_WAITERS = longKey("lifespan.stall.waiters");

  /** It executed a program. */
  public static final String EVENT_EXEC = "lifespan.process.exec";

  /** Its first thread exited while others lived on. */
  public static final String EVENT_LEADER_EXIT = "lifespan.process.leader_exit";

  /** Its user or group ids changed. */
  public static final String EVENT_CREDENTIALS = "lifespan.process.credentials";

  /** It became the leader of a new session. */
  public static final String EVENT_SESSION = "lifespan.process.session";

  /** It renamed itself. */
  public static final String EVENT_RENAME = "lifespan.process.rename";

  /** A tracer attached to it or detached. */
  public static final String EVENT_PTRACE = "lifespan.process.ptrace";

  /** Its parent ended, and another process became its parent. */
  public static final String EVENT_ADOPTION = "lifespan.process.adoption";

  /** It began to dump core. */
  public static final String EVENT_COREDUMP = "lifespan.process.coredump";

  /** It ended. */
  public static final String EVENT_EXIT = "lifespan.process.exit";

  /** It has lived for so long that its own span will come late, if ever. */
  public static final String EVENT_START = "lifespan.process.start";

  /** Events were lost. */
  public static final String EVENT_LOSS = "lifespan.events.lost";

  /** One of its threads is blocked in the kernel. */
  public static final String EVENT_BLOCKED = "lifespan.process.blocked";

  /** All of its threads wait for one that is blocked. */
  public static final String EVENT_STALL = "lifespan.stall";

  /** A mount fares otherwise than before. */
  public static final String EVENT_MOUNT = "lifespan.mount.change";

  private Semconv() {}
}
