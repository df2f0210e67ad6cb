package io.lifespan.collector;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.Stage;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.lifespan.collector.config.Settings;
import io.lifespan.event.EventSource;
import io.lifespan.event.capture.ProcFsReader;
import io.lifespan.event.capture.SystemClock;
import io.lifespan.event.connector.ConnectorOptions;
import io.lifespan.event.connector.ConnectorSource;
import io.lifespan.event.ebpf.EbpfOptions;
import io.lifespan.event.ebpf.EbpfSource;
import io.lifespan.event.poll.PollOptions;
import io.lifespan.event.poll.PollSource;
import io.lifespan.event.ptrace.PtraceSource;
import io.lifespan.otel.Redactor;
import io.lifespan.otel.TraceIdentity;
import io.lifespan.otel.UserNames;
import io.lifespan.process.KernelClock;
import io.lifespan.process.ProcReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** Wires sources, process table and mapping from the settings. */
final class CollectorModule extends AbstractModule {

  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  private final Settings settings;

  private CollectorModule(Settings settings) {
    this.settings = settings;
  }

  static Injector injector(Settings settings) {
    // Reflection does for a dozen objects; Guice's generated classes take longer, and on newer JDKs
    // they print warnings about their use of Unsafe.
    System.setProperty("guice_bytecode_gen_option", "DISABLED");
    return Guice.createInjector(Stage.PRODUCTION, new CollectorModule(settings));
  }

  /** Every source, for a JVM that is not Lifespan's own: no injector leaves a trace there. */
  static Set<EventSource> sources(Settings settings) {
    CollectorModule module = new CollectorModule(settings);
    KernelClock clock = module.clock();
    return Set.of(
        module.ebpf(settings, clock),
        module.connector(settings, clock),
        module.ptrace(settings, clock),
        module.poll(settings, clock));
  }

  @Override
  protected void configure() {
    binder().requireExplicitBindings();
    bind(Settings.class).toInstance(settings);
    bind(Watch.class).in(Singleton.class);
    bind(SpanSetup.class).in(Singleton.class);
    bind(MappingSetup.class).in(Singleton.class);
    bind(CommandRun.class).in(Singleton.class);
  }

  @ProvidesIntoSet
  EventSource ebpf(Settings settings, KernelClock clock) {
    EbpfOptions options =
        EbpfOptions.defaults(settings.events(), clock).withRingBytes(settings.ebpf().ringBytes());
    return new EbpfSource(options, new ProcFsReader());
  }

  @ProvidesIntoSet
  EventSource connector(Settings settings, KernelClock clock) {
    Settings.Connector connector = settings.connector();
    ConnectorOptions options =
        ConnectorOptions.defaults(settings.events(), clock)
            .withReceiveBufferBytes(connector.receiveBufferBytes())
            .withThreadEvents(connector.threads());
    return new ConnectorSource(options, new ProcFsReader());
  }

  @ProvidesIntoSet
  EventSource ptrace(Settings settings, KernelClock clock) {
    return new PtraceSource(settings.events(), new ProcFsReader(), clock);
  }

  @ProvidesIntoSet
  EventSource poll(Settings settings, KernelClock clock) {
    Settings.Poll poll = settings.poll();
    return new PollSource(
        new PollOptions(settings.events(), poll.interval(), poll.share(), clock),
        new ProcFsReader());
  }

  @Provides
  KernelClock clock() {
    return SystemClock.measure();
  }

  @Provides
  ProcReader procReader() {
    return new ProcFsReader();
  }

  @Provides
  @Singleton
  Redactor redactor(Settings settings) {
    return new Redactor(settings.redaction());
  }

  @Provides
  @Singleton
  UserNames userNames() {
    return usersOfMachine();
  }

  /** The names of users as the machine has them. */
  static UserNames usersOfMachine() {
    return new PasswdFile(Path.of("/etc/passwd"));
  }

  @Provides
  @Singleton
  TraceIdentity traceIdentity() {
    return identityOfBoot();
  }

  /** Ids that hold for this boot of the machine. */
  static TraceIdentity identityOfBoot() {
    try {
      return new TraceIdentity(Files.readString(BOOT_ID).strip());
    } catch (IOException e) {
      throw new UncheckedIOException("needs /proc", e);
    }
  }
}
