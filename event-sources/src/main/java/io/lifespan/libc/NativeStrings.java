package io.lifespan.libc;

import java.lang.ref.Reference;
import java.util.List;
import jnr.ffi.Pointer;

/** Strings as C wants them: an array of addresses, ended by a null one, and the bytes behind it. */
final class NativeStrings {

  private final NativeBuffer memory;

  NativeStrings(List<byte[]> strings) {
    int offset = (strings.size() + 1) * Long.BYTES;
    long size = offset;
    for (byte[] string : strings) {
      size += string.length + 1;
    }
    memory = new NativeBuffer(Math.toIntExact(size));
    for (int i = 0; i < strings.size(); i++) {
      byte[] string = strings.get(i);
      memory.bytes().putLong(i * Long.BYTES, memory.address() + offset);
      memory.bytes().put(offset, string);
      offset += string.length + 1;
    }
  }

  /** A single string, to be read at {@link #first()}. */
  static NativeStrings of(byte[] string) {
    return new NativeStrings(List.of(string));
  }

  /** The address of the array. */
  long address() {
    return memory.address();
  }

  /** The array as an argument of a call. */
  Pointer pointer() {
    return memory.pointer();
  }

  /** The address of the first string. */
  long first() {
    return memory.bytes().getLong(0);
  }

  /** Writes over a part of a string. */
  void overwrite(int index, int offset, byte[] with) {
    long start = memory.bytes().getLong(index * Long.BYTES) - memory.address();
    memory.bytes().put((int) start + offset, with);
  }

  /** To be called in a finally block after the use of an address: nothing is freed before. */
  @SuppressWarnings("ReachabilityFenceUsage")
  void keep() {
    Reference.reachabilityFence(memory);
  }
}
