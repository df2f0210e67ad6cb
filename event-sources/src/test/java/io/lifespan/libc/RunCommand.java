package io.lifespan.libc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.List;

/** Starts the command behind {@code --} as a wrapper would, and exits with its code. */
public final class RunCommand {

  static final String TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private RunCommand() {}

  public static void main(String[] args) throws Exception {
    InheritedDescriptors descriptors = InheritedDescriptors.take();
    List<byte[]> arguments = OwnProcess.arguments();
    int end = 0;
    while (!new String(arguments.get(end), US_ASCII).equals("--")) {
      end++;
    }
    Command command =
        new Command(
            arguments.subList(end + 1, arguments.size()),
            OwnProcess.environment(),
            SignalGate.blockedAtStart(),
            new SignalSet(Long.parseUnsignedLong(System.getProperty("ignored", "0"), 16)),
            descriptors);
    ChildProcess child =
        ChildProcess.start(command, (pid, startTicks) -> TRACEPARENT.getBytes(US_ASCII));
    while (true) {
      if (child.waitForChange() instanceof ChildProcess.Change.Ended ended) {
        System.exit(ended.status() >> 8);
      }
    }
  }
}
