package dev.drydock.drain.engine.decide;

import static dev.drydock.drain.engine.decide.TestFacts.START;
import static dev.drydock.drain.engine.decide.TestFacts.at;
import static dev.drydock.drain.engine.decide.TestFacts.pod;
import static dev.drydock.drain.engine.decide.TestFacts.s;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.LabelSelector;
import dev.drydock.drain.engine.decide.DrainPolicy.DaemonSets;
import dev.drydock.drain.engine.decide.PodFacts.Phase;
import dev.drydock.drain.engine.decide.Verdict.Outcome;
import dev.drydock.drain.hold.decide.NodeFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PodFilterTest {
  /**
   * kubectl's behaviour, row by row; the first matching row applies, a dash matches anything. Only
   * pods that are annotated as mirrors and not owned by their Node are treated as any other.
   * Columns: late (deleted longer ago than skip-wait), owner, its DaemonSet, phase finished,
   * mirror, emptyDir, force, daemonSets option, emptyDir data may go; then the outcome and its
   * message.
   */
  private static final String TABLE =
      """
      late | owner | ds      | finished | mirror | emptyDir | force | daemons | data | outcome | message
      yes  | -     | -       | -        | -      | -        | -     | -       | -    | STAYS   |
      no   | ds    | missing | no       | -      | -        | no    | -       | -    | REFUSED | cannot delete Pods whose DaemonSet is gone (use --force to override): daemonset "agent" not found
      no   | ds    | failed  | no       | -      | -        | -     | -       | -    | REFUSED | cannot delete Pods whose DaemonSet is unknown: daemonset "agent": no answer
      no   | ds    | unasked | no       | -      | -        | -     | -       | -    | REFUSED | cannot delete Pods whose DaemonSet is unknown: daemonset "agent": not looked up yet
      no   | ds    | exists  | no       | -      | -        | -     | REFUSE  | -    | REFUSED | cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore)
      no   | ds    | exists  | no       | -      | -        | -     | IGNORE  | -    | STAYS   | ignoring DaemonSet-managed Pods
      no   | node  | -       | -        | yes    | -        | -     | -       | -    | STAYS   |
      no   | -     | -       | yes      | -      | -        | -     | -       | -    | GOES    |
      no   | -     | -       | no       | -      | yes      | -     | -       | no   | REFUSED | cannot delete Pods with local storage (use --delete-emptydir-data to override)
      no   | none  | -       | no       | -      | -        | no    | -       | -    | REFUSED | cannot delete Pods that declare no controller (use --force to override)
      no   | none  | -       | no       | -      | -        | yes   | -       | -    | GOES    | deleting Pods that declare no controller
      no   | -     | -       | no       | -      | yes      | -     | -       | yes  | GOES    | deleting Pods with local storage
      no   | ds    | missing | no       | -      | no       | yes   | -       | -    | GOES    | deleting Pods whose DaemonSet is gone
      no   | ds    | exists  | no       | -      | no       | -     | LAST    | -    | GOES    | deleting DaemonSet-managed Pods
      no   | -     | -       | no       | -      | no       | -     | -       | -    | GOES    |
      """;

  private static final NodeFacts NODE = NodeFacts.cordoned(TestFacts.NODE).identified("node-uid");

  private static final Map<String, DaemonSetLookup> LOOKUPS =
      Map.of(
          "exists", new DaemonSetLookup.Exists(),
          "missing", new DaemonSetLookup.Missing(),
          "failed", new DaemonSetLookup.Failed("no answer"),
          "unasked", new DaemonSetLookup.NotADaemonSet());

  /** A DaemonSet of another API group is treated like any other controller. */
  private static final Map<String, Owner> OWNERS =
      Map.of(
          "ds",
          TestFacts.DAEMON_SET,
          "rs",
          TestFacts.REPLICA_SET,
          "node",
          new Owner("v1", "Node", TestFacts.NODE, "node-uid"),
          "foreign",
          new Owner("apps.example.org/v1", "DaemonSet", "agent", "x"));

  @Test
  void everyCombinationOfPodAndOptionsGetsTheVerdictOfTheTable() {
    int combinations = 0;
    for (List<String> keys : allCombinations()) {
      String[] expected = expected(keys);
      Verdict verdict = new PodFilter(policy(keys), NODE, false, START).verdict(podOf(keys));
      assertThat(verdict.outcome())
          .as("%s -> %s", keys, verdict)
          .isEqualTo(Outcome.valueOf(expected[0]));
      assertThat(verdict.message()).as("%s", keys).isEqualTo(expected[1]);
      combinations++;
    }
    assertThat(combinations).isEqualTo(3 * 5 * 4 * 5 * 2 * 2 * 2 * 3 * 2);
  }

  private static List<List<String>> allCombinations() {
    List<List<String>> columns =
        List.of(
            List.of("no", "recent", "yes"),
            List.of("none", "rs", "foreign", "node", "ds"),
            List.of("exists", "missing", "failed", "unasked"),
            List.of("PENDING", "RUNNING", "SUCCEEDED", "FAILED", "UNKNOWN"),
            List.of("yes", "no"),
            List.of("yes", "no"),
            List.of("yes", "no"),
            List.of("REFUSE", "IGNORE", "LAST"),
            List.of("yes", "no"));
    List<List<String>> combinations = List.of(List.of());
    for (List<String> column : columns) {
      List<List<String>> longer = new ArrayList<>();
      for (List<String> start : combinations) {
        for (String value : column) {
          List<String> next = new ArrayList<>(start);
          next.add(value);
          longer.add(next);
        }
      }
      combinations = longer;
    }
    return combinations;
  }

  private static String[] expected(List<String> keys) {
    List<String> asked = new ArrayList<>(keys);
    asked.set(0, keys.get(0).equals("yes") ? "yes" : "no");
    asked.set(3, keys.get(3).equals("SUCCEEDED") || keys.get(3).equals("FAILED") ? "yes" : "no");
    for (String line : TABLE.lines().skip(1).toList()) {
      List<String> row = List.of(line.split("\\|", -1)).stream().map(String::strip).toList();
      boolean fits = true;
      for (int i = 0; i < asked.size(); i++) {
        fits &= row.get(i).equals("-") || row.get(i).equals(asked.get(i));
      }
      if (fits) {
        return new String[] {row.get(9), row.get(10)};
      }
    }
    throw new AssertionError("no row fits " + keys);
  }

  private static DrainPolicy policy(List<String> keys) {
    return DrainPolicy.builder()
        .skipWait(s(60))
        .force(keys.get(6).equals("yes"))
        .daemonSets(DaemonSets.valueOf(keys.get(7)))
        .emptyDirDataMayGo(keys.get(8).equals("yes"))
        .build();
  }

  private static PodFacts podOf(List<String> keys) {
    PodFacts.Builder pod =
        PodFacts.named("web", "a", "uid-a")
            .daemonSet(Objects.requireNonNull(LOOKUPS.get(keys.get(2))))
            .phase(Phase.valueOf(keys.get(3)))
            .mirror(keys.get(4).equals("yes"))
            .emptyDir(keys.get(5).equals("yes"));
    Owner owner = OWNERS.get(keys.get(1));
    if (owner != null) {
      pod.controller(owner);
    }
    switch (keys.get(0)) {
      case "yes" -> pod.terminating(at(-61), s(30));
      case "recent" -> pod.terminating(at(-60), s(30));
      default -> {}
    }
    return pod.build();
  }

  @Test
  void skipWaitCountsFromTheEndOfGraceInWholeSeconds() {
    DrainPolicy policy = DrainPolicy.builder().skipWait(s(60)).build();
    PodFacts pod = pod("a").terminating(START, s(30)).build();

    assertThat(new PodFilter(policy, NODE, false, at(61).minusNanos(1)).verdict(pod).goes())
        .isTrue();
    assertThat(new PodFilter(policy, NODE, false, at(61)).verdict(pod).goes()).isFalse();
    assertThat(new PodFilter(DrainPolicy.defaults(), NODE, false, at(9999)).verdict(pod).goes())
        .isTrue();
  }

  @Test
  void podsOutsideTheSelectorAndPodsLeftAloneAreNeverRefused() {
    PodFacts bare = PodFacts.named("web", "a", "u").labels(Map.of("app", "a")).build();
    DrainPolicy others = DrainPolicy.builder().podSelector(LabelSelector.parse("app!=a")).build();
    DrainPolicy alone =
        DrainPolicy.builder()
            .rule(PolicyRule.of(PolicyRule.Match.namespace("w*"), new EvictionMode.LeaveAlone()))
            .build();

    assertThat(new PodFilter(others, NODE, false, START).verdict(bare).outcome())
        .isEqualTo(Outcome.STAYS);
    assertThat(new PodFilter(alone, NODE, false, START).verdict(bare).outcome())
        .isEqualTo(Outcome.STAYS);
    DrainPolicy cxi = DrainPolicy.builder().requestsResource("hpe.com/cxi").build();
    assertThat(new PodFilter(cxi, NODE, false, START).verdict(bare).outcome())
        .isEqualTo(Outcome.STAYS);
    PodFacts user = bare.toBuilder().resources(Set.of("hpe.com/cxi")).build();
    assertThat(new PodFilter(cxi, NODE, false, START).verdict(user).outcome())
        .isEqualTo(Outcome.REFUSED);
    assertThat(new PodFilter(DrainPolicy.defaults(), NODE, false, START).verdict(bare).outcome())
        .isEqualTo(Outcome.REFUSED);
  }

  @Test
  void aMirrorOfANodeOfThatNameThatIsAnotherOneIsTaken() {
    PodFacts other =
        pod("a").mirror(true).controller(new Owner("v1", "Node", TestFacts.NODE, "older")).build();

    assertThat(new PodFilter(DrainPolicy.defaults(), NODE, false, START).verdict(other).goes())
        .isTrue();
    assertThat(
            new PodFilter(DrainPolicy.defaults(), NodeFacts.cordoned(TestFacts.NODE), false, START)
                .verdict(other)
                .goes())
        .as("the node's UID is not known")
        .isFalse();
  }

  @Test
  void aPodWhoseLabelsAreNotKnownIsSparedByNoSelector() {
    PodFacts large = pod("a").reduced(true).build();
    DrainPolicy some =
        DrainPolicy.builder()
            .force(true)
            .podSelector(LabelSelector.parse("app=a"))
            .requestsResource("hpe.com/cxi")
            .rule(
                PolicyRule.of(
                    PolicyRule.Match.labels(LabelSelector.parse("!app")),
                    new EvictionMode.LeaveAlone()))
            .build();

    assertThat(new PodFilter(some, NODE, false, START).verdict(large).goes()).isTrue();
  }
}
