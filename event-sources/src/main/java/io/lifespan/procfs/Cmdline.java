package io.lifespan.procfs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * /proc/PID/cmdline: the arguments of a process, or what it wrote over them.
 *
 * @param arguments the arguments, the program's name first, empty ones too; of a title the one text
 * @param title true if this is not what was executed but a title that the process gave itself later
 *     (as sshd, postgres and nginx do), as far as that can be told from its form
 */
public record Cmdline(List<Bytes> arguments, boolean title) {

  public Cmdline {
    arguments = List.copyOf(arguments);
  }

  /**
   * Reads the content of the file.
   *
   * @param truncated true if the content is only the beginning: its last argument may then lack its
   *     end
   */
  public static Cmdline parse(Bytes content, boolean truncated) {
    return !truncated && isTitle(content.array())
        ? new Cmdline(List.of(withoutPadding(content.array())), true)
        : new Cmdline(split(content), false);
  }

  /** The parts that a NUL ends, empty ones too; the last may do without. */
  public static List<Bytes> split(Bytes content) {
    byte[] bytes = content.array();
    List<Bytes> parts = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == 0) {
        parts.add(new Bytes(Arrays.copyOfRange(bytes, start, i)));
        start = i + 1;
      }
    }
    if (start < bytes.length) {
      parts.add(new Bytes(Arrays.copyOfRange(bytes, start, bytes.length)));
    }
    return parts;
  }

  /**
   * What execve leaves always ends in a NUL. A title is one text with blanks in it: without a NUL,
   * or filled up with many, or with a colon after its first word.
   */
  private static boolean isTitle(byte[] bytes) {
    int textEnd = 0;
    while (textEnd < bytes.length && bytes[textEnd] != 0) {
      textEnd++;
    }
    if (textEnd == bytes.length) {
      return bytes.length > 0;
    }
    for (int i = textEnd; i < bytes.length; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    int blank = indexOfBlank(bytes, textEnd);
    return blank > 0 && (bytes.length - textEnd > 1 || bytes[blank - 1] == ':');
  }

  private static int indexOfBlank(byte[] bytes, int end) {
    for (int i = 0; i < end; i++) {
      if (bytes[i] == ' ') {
        return i;
      }
    }
    return -1;
  }

  private static Bytes withoutPadding(byte[] bytes) {
    int end = bytes.length;
    while (end > 0 && (bytes[end - 1] == 0 || bytes[end - 1] == ' ')) {
      end--;
    }
    return new Bytes(Arrays.copyOf(bytes, end));
  }
}
