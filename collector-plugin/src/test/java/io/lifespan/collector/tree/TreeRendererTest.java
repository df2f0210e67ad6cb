package io.lifespan.collector.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.lifespan.process.WaitStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TreeRendererTest {

  private static final long MILLI = 1_000_000;
  private static final TreeStyle PLAIN = new TreeStyle(80, false, true);

  private final List<TreeNode> nodes = new ArrayList<>();
  private long eventsLost;
  private long processesNotKept;

  @Test
  void drawsWhoMadeWhomWithBarDurationAndOutcome() {
    TreeNode make = ran(null, "make", "-j4", 0, 1000, 0x200);
    TreeNode gcc = ran(make, "gcc", "-c a.c", 0, 500, 0);
    ran(gcc, "cc1", "-quiet a.c", 10, 400, 0);
    ran(gcc, "as", "-o a.o", 410, 490, 0);
    ran(make, "gcc", "-c bad.c", 500, 900, 0x100);

    assertThat(render(PLAIN))
        .containsExactly(
            "make -j4                                           ████████████    1.00 s exit 2",
            "├─ gcc -c a.c                                      ██████          500 ms",
            "│  ├─ cc1 -quiet a.c                               █████           390 ms",
            "│  └─ as -o a.o                                         █         80.0 ms",
            "└─ gcc -c bad.c                                          █████     400 ms exit 1",
            "5 processes, 2 failed, 1.00 s");
  }

  @Test
  void drawsWithAsciiOnlyWhereNothingElseIsUnderstood() {
    TreeNode make = ran(null, "make", "", 0, 1000, 0);
    TreeNode sh = ran(make, "sh", "-c 'exit 0'", 0, 500, 0);
    ran(sh, "true", "", 0, 250, 0);
    ran(make, "echo", "x".repeat(100), 0, 10, 0);

    assertThat(render(new TreeStyle(80, false, false)))
        .containsExactly(
            "make                                                      ############    1.00 s",
            "|- sh -c 'exit 0'                                         ######          500 ms",
            "|  `- true                                                ###             250 ms",
            "`- echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx~ #              10.0 ms",
            "4 processes, 1.00 s");
  }

  @Test
  void noLineIsWiderThanTheTerminal() {
    TreeNode parent = ran(null, "sh", "コンパイル ".repeat(40), 0, 1000, 0x8b);
    for (int depth = 0; depth < 30; depth++) {
      parent = ran(parent, "é".repeat(70), "a b", 0, 900, 0x100);
    }
    for (int columns : new int[] {40, 59, 80, 120, 200}) {
      assertThat(render(new TreeStyle(columns, false, true)))
          .allSatisfy(line -> assertThat(DisplayText.width(line)).isLessThanOrEqualTo(columns));
    }
  }

  @Test
  void showsFailedProcessesRedOnATerminal() {
    TreeNode make = ran(null, "make", "", 0, 100, 0);
    ran(make, "false", "", 0, 100, 0x100);

    List<String> lines = render(new TreeStyle(80, true, true));

    assertThat(lines.get(0)).doesNotContain("\u001b");
    assertThat(lines.get(1)).startsWith("└─ \u001b[31mfalse ").endsWith("exit 1\u001b[0m");
  }

  @Test
  void namesTheSignalAndTheCoreDump() {
    TreeNode make = ran(null, "make", "", 0, 100, 0);
    ran(make, "a", "", 0, 100, 0x8b);
    ran(make, "b", "", 0, 100, 9);
    ran(make, "c", "", 0, 100, 42);

    assertThat(render(PLAIN).get(1)).endsWith("SIGSEGV, core dumped");
    assertThat(render(PLAIN).get(2)).endsWith("SIGKILL");
    assertThat(render(PLAIN).get(3)).endsWith("SIGRTMIN+8");
  }

  @Test
  void marksWhatStillRunsAndWhatOnlyForked() {
    TreeNode sh = ran(null, "sh", "", 0, 500, 0);
    TreeNode daemon = new TreeNode(sh, sh.command(), 250 * MILLI);
    nodes.add(daemon);

    List<String> lines = render(PLAIN);

    assertThat(lines.get(1)).startsWith("└─ (sh) ").endsWith("750 ms running");
    assertThat(lines.get(2)).isEqualTo("2 processes, 1 still running, 1.00 s");
  }

  @Test
  void saysWhenTheEndOfAProcessWasNotSeen() {
    TreeNode sh = ran(null, "sh", "", 0, 500, 0);
    TreeNode lost = ran(sh, "cat", "", 0, 400, 0);
    lost.end(400 * MILLI, Outcome.UNKNOWN);

    assertThat(render(PLAIN).get(1)).endsWith("400 ms end unknown");
  }

  @Test
  void foldsWhatLooksAlikeInALongTree() {
    TreeNode make = ran(null, "make", "-j4", 0, 40_000, 0x200);
    for (int i = 0; i < 812; i++) {
      int failed = i == 17 ? 0x100 : 0;
      TreeNode gcc = ran(make, "gcc", "-c " + i + ".c", i * 40L, i * 40L + 60, failed);
      ran(gcc, "cc1", i + ".c", i * 40L, i * 40L + 47, failed);
      if (failed == 0) {
        ran(gcc, "as", "", i * 40L + 47, i * 40L + 60, 0);
      }
    }

    assertThat(render(PLAIN))
        .containsExactly(
            "make -j4                                           ████████████    40.0 s exit 2",
            "├─ gcc × 811                                       ██████████      48.6 s",
            "│  ├─ cc1 × 811                                    ██████████      38.1 s",
            "│  └─ as × 811                                     ██████████      10.5 s",
            "└─ gcc -c 17.c                                     ▌              60.0 ms exit 1",
            "   └─ cc1 17.c                                     ▌              47.0 ms exit 1",
            "2,436 processes, 3 failed, 40.0 s");
  }

  @Test
  void showsTheArgumentsOfFoldedProcessesThatAreAllTheSame() {
    TreeNode sh = ran(null, "sh", "", 0, 1000, 0);
    for (int i = 0; i < 50; i++) {
      ran(sh, "sleep", "0.01", i * 10L, i * 10L + 10, 0);
    }

    assertThat(render(PLAIN).get(1)).startsWith("└─ sleep 0.01 × 50 ").endsWith("500 ms");
  }

  @Test
  void leavesAShortTreeUnfolded() {
    TreeNode sh = ran(null, "sh", "", 0, 1000, 0);
    for (int i = 0; i < 30; i++) {
      ran(sh, "true", "", i, i + 1, 0);
    }

    assertThat(render(PLAIN)).hasSize(32);
  }

  @Test
  void aChainOfHundredThousandForksEndsInACount() {
    TreeNode parent = ran(null, "sh", "", 0, 1000, 0);
    for (int i = 1; i < 100_000; i++) {
      parent = ran(parent, "sh" + i, "", i, 1000_000, 0);
    }

    List<String> lines = render(PLAIN);

    assertThat(lines).hasSizeLessThan(40);
    assertThat(lines.get(lines.size() - 2)).contains("└─ … 99,9").contains(" more ");
    assertThat(lines.get(lines.size() - 1)).startsWith("100,000 processes, 16 m 40 s");
  }

  @Test
  void whatIsNotShownIsCounted() {
    TreeNode sh = ran(null, "sh", "", 0, 1000, 0);
    for (int i = 0; i < 1200; i++) {
      ran(sh, "a" + i, "", i, i + 1, 0);
    }
    processesNotKept = 10;
    eventsLost = 1;

    List<String> lines = render(PLAIN);

    assertThat(lines).hasSize(1001);
    assertThat(lines.get(1000)).isEqualTo("1,211 processes, 1.20 s, 211 not shown, 1 event lost");
  }

  @Test
  void nothingRecordedIsOneLine() {
    assertThat(render(PLAIN)).containsExactly("0 processes, 0 us");
  }

  private TreeNode ran(
      @Nullable TreeNode parent, String name, String arguments, long from, long to, int status) {
    TreeNode node = new TreeNode(parent, CommandText.UNKNOWN, from * MILLI);
    node.execute(new CommandText(name, arguments));
    node.end(to * MILLI, Outcome.of(new WaitStatus(status)));
    nodes.add(node);
    return node;
  }

  private List<String> render(TreeStyle style) {
    long failed = nodes.stream().filter(node -> node.outcome().failed()).count();
    ProcessTree tree =
        new ProcessTree(nodes, 1000 * MILLI, nodes.size() + processesNotKept, failed, eventsLost);
    return new TreeRenderer(style).render(tree);
  }
}
