package io.lifespan.libc;

import java.util.List;

/**
 * A program to start, in the bytes that it is to see.
 *
 * @param arguments its arguments, the program first: a path if it has a slash in it, else searched
 *     for in the PATH of the environment; at least one
 * @param environment {@code NAME=value} each
 * @param blocked the signals it starts with as blocked
 * @param ignored the signals it starts with as ignored. Those that this process ignores stay so in
 *     any case. Of those that Hotspot handles itself only SIGPIPE and SIGXFSZ can be told it, which
 *     this process then ignores too: that does Hotspot no harm
 * @param descriptors what it inherits; everything else that this process has open it does not get
 */
public record Command(
    List<byte[]> arguments,
    List<byte[]> environment,
    SignalSet blocked,
    SignalSet ignored,
    InheritedDescriptors descriptors) {

  public Command {
    if (arguments.isEmpty()) {
      throw new IllegalArgumentException("a command has at least one argument");
    }
    arguments = List.copyOf(arguments);
    environment = List.copyOf(environment);
  }
}
