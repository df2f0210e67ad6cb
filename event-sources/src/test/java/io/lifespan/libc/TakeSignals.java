package io.lifespan.libc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Restarts itself with signals blocked, then prints each signal that comes until SIGTERM. */
public final class TakeSignals {

  private TakeSignals() {}

  public static void main(String[] args) throws Exception {
    InheritedDescriptors descriptors =
        args.length == 0
            ? InheritedDescriptors.take()
            : InheritedDescriptors.of(Stream.of(args).map(Integer::valueOf).toList());
    if (!SignalGate.blockedAtStart().containsAll(SignalSet.FORWARDED)) {
      List<byte[]> arguments = new ArrayList<>(OwnProcess.arguments());
      arguments.add(1, "-Xrs".getBytes(US_ASCII));
      for (int descriptor : descriptors.descriptors()) {
        arguments.add(Integer.toString(descriptor).getBytes(US_ASCII));
      }
      List<byte[]> environment = new ArrayList<>(OwnProcess.environment());
      environment.add("_JAVA_SR_SIGNUM=62".getBytes(US_ASCII));
      OwnProcess.restart(
          arguments,
          environment,
          SignalGate.blockedAtStart().plus(SignalSet.FORWARDED),
          descriptors);
    }
    SignalGate gate = new SignalGate(SignalSet.FORWARDED);
    System.out.println("inherited " + descriptors.descriptors());
    System.out.println("ready " + ProcessHandle.current().pid());
    SignalGate.Received received;
    do {
      received = gate.await(60_000);
      System.out.println(
          received == null
              ? "nothing"
              : Signal.name(received.number())
                  + (received.fromKernel() ? " from the kernel" : " from " + received.senderPid()));
    } while (received != null && received.number() != Signal.TERM);
  }
}
