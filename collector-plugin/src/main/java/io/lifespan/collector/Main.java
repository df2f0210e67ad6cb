package io.lifespan.collector;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** The program. */
public final class Main {

  private Main() {}

  /** Does what the arguments say and exits. */
  public static void main(String[] arguments) {
    Map<String, Supplier<Subcommand>> commands = new LinkedHashMap<>();
    commands.put("run", RunCommand::new);
    commands.put("agent", AgentCommand::new);
    commands.put("tail", TailCommand::new);
    commands.put("ps", () -> new PsCommand(System.out));
    commands.put("doctor", () -> new DoctorCommand(System.out));
    int exitCode = new Invocation(commands, System.out, System.err).execute(arguments);
    System.out.flush();
    System.exit(exitCode);
  }
}
