package io.lifespan.libc;

/**
 * One instruction of a classic BPF program (struct sock_filter, linux/filter.h): the few kinds that
 * a socket filter here is made of. Jumps count the instructions to skip.
 *
 * @param code what it does
 * @param ifTrue how many instructions to skip if a comparison holds
 * @param ifFalse how many to skip if it does not
 * @param operand an offset, a constant or a result
 */
public record BpfInstruction(int code, int ifTrue, int ifFalse, int operand) {

  /** A = the length of the packet. */
  public static final int LOAD_LENGTH = 0x80;

  /** A = the 32 bits at an offset of the packet, read as big-endian. */
  public static final int LOAD_WORD = 0x20;

  /** X = A. */
  public static final int COPY_TO_X = 0x07;

  /** Compares A with the operand. */
  public static final int JUMP_IF_EQUAL = 0x15;

  /** Compares A with the operand, both unsigned: holds if A is not smaller. */
  public static final int JUMP_IF_NOT_LESS = 0x35;

  /** Holds if A and the operand have a bit in common. */
  public static final int JUMP_IF_ANY_BIT = 0x45;

  /** Compares A with X. */
  public static final int JUMP_IF_EQUAL_X = 0x1d;

  /** Ends: 0 drops the packet, -1 lets all of it through. */
  public static final int RETURN = 0x06;

  /** The size of struct sock_filter in bytes. */
  static final int SIZE = 8;
}
