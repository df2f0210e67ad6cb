package io.lifespan.event.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.event.EventKind;
import io.lifespan.event.EventSelection;
import io.lifespan.libc.BpfInstruction;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class SocketFilterTest {

  @Property
  void exactlyTheWantedEventsPass(
      @ForAll @Size(min = 1) Set<EventKind> kinds,
      @ForAll boolean failedExitsOnly,
      @ForAll boolean threads,
      @ForAll("messages") byte[] message) {
    WantedEvents wanted = new WantedEvents(new EventSelection(kinds, failedExitsOnly), threads);
    ProcEventFlyweight flyweight = new ProcEventFlyweight();
    flyweight.wrap(Messages.buffer(message), 0, message.length);

    boolean passes = passes(SocketFilter.of(wanted, true), message);

    assertThat(passes).isEqualTo(flyweight.what() == 0 || wanted.test(flyweight));
  }

  @Property
  void onlyThreadsAreDroppedWhereTheConnectorFiltersKinds(@ForAll("messages") byte[] message) {
    WantedEvents wanted = new WantedEvents(new EventSelection(Set.of(EventKind.SID), false), false);
    ProcEventFlyweight flyweight = new ProcEventFlyweight();
    flyweight.wrap(Messages.buffer(message), 0, message.length);

    boolean passes = passes(SocketFilter.of(wanted, false), message);

    assertThat(passes).isEqualTo(!flyweight.isOfThread());
  }

  @Property
  void whatIsTooShortForAnEventPassesToBeCounted(
      @ForAll("messages") byte[] message, @ForAll @IntRange(max = 75) int length) {
    WantedEvents wanted = new WantedEvents(new EventSelection(Set.of(EventKind.SID), false), false);

    assertThat(passes(SocketFilter.of(wanted, true), Arrays.copyOf(message, length))).isTrue();
  }

  @Provide
  Arbitrary<byte[]> messages() {
    Arbitrary<Integer> kinds =
        Arbitraries.of(0, 1, 2, 4, 0x40, 0x80, 0x100, 0x200, 0x400, 0x4000_0000, 0x8000_0000);
    return kinds.flatMap(
        what ->
            Arbitraries.integers()
                .between(0, 2)
                .array(int[].class)
                .ofSize(6)
                .map(data -> Messages.message(what, 1, data)));
  }

  /** What the kernel's interpreter does, for the instructions in use. */
  private static boolean passes(List<BpfInstruction> program, byte[] packet) {
    ByteBuffer bytes = ByteBuffer.wrap(packet).order(ByteOrder.BIG_ENDIAN);
    int a = 0;
    int x = 0;
    int at = 0;
    while (true) {
      BpfInstruction i = program.get(at++);
      switch (i.code()) {
        case BpfInstruction.LOAD_LENGTH -> a = packet.length;
        case BpfInstruction.LOAD_WORD -> {
          if (i.operand() + 4 > packet.length) {
            return false;
          }
          a = bytes.getInt(i.operand());
        }
        case BpfInstruction.COPY_TO_X -> x = a;
        case BpfInstruction.JUMP_IF_EQUAL -> at += a == i.operand() ? i.ifTrue() : i.ifFalse();
        case BpfInstruction.JUMP_IF_NOT_LESS ->
            at += Integer.compareUnsigned(a, i.operand()) >= 0 ? i.ifTrue() : i.ifFalse();
        case BpfInstruction.JUMP_IF_ANY_BIT ->
            at += (a & i.operand()) != 0 ? i.ifTrue() : i.ifFalse();
        case BpfInstruction.JUMP_IF_EQUAL_X -> at += a == x ? i.ifTrue() : i.ifFalse();
        case BpfInstruction.RETURN -> {
          return i.operand() != 0;
        }
        default -> throw new AssertionError("no such instruction: " + i);
      }
    }
  }
}
