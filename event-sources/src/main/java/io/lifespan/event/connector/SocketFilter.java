package io.lifespan.event.connector;

import static io.lifespan.libc.BpfInstruction.COPY_TO_X;
import static io.lifespan.libc.BpfInstruction.JUMP_IF_ANY_BIT;
import static io.lifespan.libc.BpfInstruction.JUMP_IF_EQUAL;
import static io.lifespan.libc.BpfInstruction.JUMP_IF_EQUAL_X;
import static io.lifespan.libc.BpfInstruction.JUMP_IF_NOT_LESS;
import static io.lifespan.libc.BpfInstruction.LOAD_LENGTH;
import static io.lifespan.libc.BpfInstruction.LOAD_WORD;
import static io.lifespan.libc.BpfInstruction.RETURN;

import io.lifespan.libc.BpfInstruction;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The classic BPF program that drops unwanted messages before the kernel queues them at the socket.
 * It does what the connector's own filter cannot: the forks and exits of threads, and everything on
 * a kernel before 6.6, which has no filter. Answers and what is no event pass.
 *
 * <p>Such a program reads words as big-endian, while a message is in the machine's order: the
 * constants are swapped instead.
 */
final class SocketFilter {

  private static final int PASS = -1;
  private static final int DROP = 0;

  private final List<BpfInstruction> program = new ArrayList<>();

  private SocketFilter() {}

  /**
   * The program for what is wanted.
   *
   * @param kinds whether it has to drop unwanted kinds too, since the connector does not
   */
  static List<BpfInstruction> of(WantedEvents wanted, boolean kinds) {
    SocketFilter filter = new SocketFilter();
    filter.passWhatIsNoEvent();
    if (kinds) {
      filter.dropAllBut(wanted.mask());
    }
    if (kinds && wanted.failedExitsOnly()) {
      filter.dropGoodExits();
    }
    if (!wanted.threadEvents()) {
      filter.dropIfThread(ProcEventFlyweight.WHAT_FORK, ProcEventFlyweight.DATA + 8);
      filter.dropIfThread(ProcEventFlyweight.WHAT_EXIT, ProcEventFlyweight.DATA);
    }
    filter.add(RETURN, PASS);
    return filter.program;
  }

  private void passWhatIsNoEvent() {
    add(LOAD_LENGTH, 0);
    jump(JUMP_IF_NOT_LESS, ProcEventFlyweight.LENGTH, 1, 0);
    add(RETURN, PASS);
    add(LOAD_WORD, ProcEventFlyweight.WHAT);
    jump(JUMP_IF_EQUAL, ProcEventFlyweight.WHAT_NONE, 0, 1);
    add(RETURN, PASS);
  }

  private void dropAllBut(int mask) {
    jump(JUMP_IF_ANY_BIT, bigEndian(mask), 1, 0);
    add(RETURN, DROP);
  }

  private void dropGoodExits() {
    jump(JUMP_IF_EQUAL, bigEndian(ProcEventFlyweight.WHAT_EXIT), 0, 4);
    add(LOAD_WORD, ProcEventFlyweight.DATA + 8);
    jump(JUMP_IF_EQUAL, 0, 0, 1);
    add(RETURN, DROP);
    add(LOAD_WORD, ProcEventFlyweight.WHAT);
  }

  /** Expects the kind in A, and leaves it there for what is of another kind. */
  private void dropIfThread(int what, int pidOffset) {
    jump(JUMP_IF_EQUAL, bigEndian(what), 0, 6);
    add(LOAD_WORD, pidOffset);
    add(COPY_TO_X, 0);
    add(LOAD_WORD, pidOffset + 4);
    jump(JUMP_IF_EQUAL_X, 0, 0, 1);
    add(RETURN, PASS);
    add(RETURN, DROP);
  }

  private void add(int code, int operand) {
    program.add(new BpfInstruction(code, 0, 0, operand));
  }

  private void jump(int code, int operand, int ifTrue, int ifFalse) {
    program.add(new BpfInstruction(code, ifTrue, ifFalse, operand));
  }

  private static int bigEndian(int word) {
    return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? Integer.reverseBytes(word) : word;
  }
}
