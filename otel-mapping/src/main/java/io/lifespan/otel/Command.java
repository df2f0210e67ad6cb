package io.lifespan.otel;

import io.opentelemetry.sdk.resources.Resource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a process runs, in the words of telemetry: decoded, redacted and cut. What is unknown is
 * null.
 *
 * @param name as a person would name it; never empty
 * @param executableName base name of the executable file
 * @param executablePath the executable file
 * @param executableDeleted true if the file had no name any more when it was executed
 * @param argumentsState what became of the arguments
 * @param argumentsCount how many there were
 * @param argument0 the command as it was given
 * @param arguments the arguments that may be exported
 * @param title what the process had written over its arguments
 * @param pid the process that this was captured of: the one that executed it, maybe an ancestor of
 *     others that run it
 * @param workingDirectory at the exec
 * @param innermostPid pid in its own pid namespace, if that is nested
 * @param interactive true if it had a terminal
 * @param user who it ran as, right after the exec
 * @param resource what it belongs to
 */
record Command(
    String name,
    @Nullable String executableName,
    @Nullable String executablePath,
    boolean executableDeleted,
    ArgumentsState argumentsState,
    @Nullable Integer argumentsCount,
    @Nullable String argument0,
    List<String> arguments,
    @Nullable String title,
    @Nullable Integer pid,
    @Nullable String workingDirectory,
    @Nullable Integer innermostPid,
    @Nullable Boolean interactive,
    @Nullable UserIds user,
    Resource resource) {

  Command {
    arguments = List.copyOf(arguments);
  }

  /** The same command, run by another process. */
  Command of(
      @Nullable Integer otherPid,
      @Nullable Integer otherInnermostPid,
      @Nullable Boolean otherInteractive,
      @Nullable UserIds otherUser) {
    return new Command(
        name,
        executableName,
        executablePath,
        executableDeleted,
        argumentsState,
        argumentsCount,
        argument0,
        arguments,
        title,
        otherPid,
        workingDirectory,
        otherInnermostPid,
        otherInteractive,
        otherUser,
        resource);
  }
}
