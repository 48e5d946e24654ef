package dev.drydock.edge.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The small questions. */
class EdgeFactsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static PeerNode node(String name, boolean ready, boolean member, boolean edgeHold) {
    return new PeerNode(name, "", !edgeHold, ready, false, member, edgeHold, "");
  }

  private static ClusterNodes cluster(PeerNode... others) {
    List<PeerNode> all = new ArrayList<>(List.of(others));
    all.addFirst(node("a", true, true, false));
    return new ClusterNodes("a", all);
  }

  @Test
  void nodesGoOneAtATime() {
    assertThat(cluster(node("b", true, true, false), node("c", true, true, false)).turnWaitsFor())
        .isEmpty();
    assertThat(cluster(node("b", false, true, true), node("c", true, true, false)).turnWaitsFor())
        .hasValueSatisfying(why -> assertThat(why).contains("until b is back"));
  }

  @Test
  void etcdKeepsItsQuorum() {
    assertThat(cluster(node("b", false, true, false), node("c", true, true, false)).turnWaitsFor())
        .hasValueSatisfying(
            why -> assertThat(why).contains("1 of 3 members are ready, and 2 are needed"));
    assertThat(cluster(node("b", false, true, false)).turnWaitsFor())
        .as("two members have no quorum to keep")
        .isEmpty();
    assertThat(
            cluster(
                    node("b", false, true, false),
                    node("c", true, true, false),
                    node("d", true, true, false),
                    node("e", true, true, false))
                .turnWaitsFor())
        .isEmpty();
  }

  @Test
  void aWorkerDoesNotCountForEtcd() {
    ClusterNodes nodes =
        new ClusterNodes(
            "w",
            List.of(
                node("w", true, false, false),
                node("b", false, true, false),
                node("c", true, true, false),
                node("d", true, true, false)));
    assertThat(nodes.quorumWaitsFor()).isEmpty();
  }

  @Test
  void settingsHaveTheOriginalsDefaultsAndLimits() {
    assertThat(EdgeSettings.DEFAULT)
        .isEqualTo(
            new EdgeSettings(Duration.ofHours(24), Duration.ofMinutes(5), Duration.ofMinutes(2)));
    assertThat(
            EdgeSettings.of(
                Map.of(
                    "kubernetes.drain.timeout", 3L,
                    "drain.skip.k8sapinotreachable.timeout", 7L,
                    "kubernetes.drain.allnodes.config.multiple", 5L,
                    "timer.config.interval", 10L)))
        .isEqualTo(
            new EdgeSettings(Duration.ofHours(3), Duration.ofSeconds(7), Duration.ofSeconds(50)));
    assertThat(
            EdgeSettings.of(
                Map.of(
                    "kubernetes.drain.timeout", 0L,
                    "drain.skip.k8sapinotreachable.timeout", 4294967296L,
                    "kubernetes.drain.allnodes.config.multiple", 1001L,
                    "timer.config.interval", 4L)))
        .as("0 and what is out of range is ignored")
        .isEqualTo(EdgeSettings.DEFAULT);
    assertThat(EdgeSettings.of(Map.of("kubernetes.drain.timeout", 4294967295L)).drainTimeout())
        .as("can be added to a time")
        .isLessThanOrEqualTo(Duration.ofDays(36_500));
  }

  @Test
  void blockersOfStorageAreToldApart() {
    StorageView last =
        new StorageView(
            List.of(
                new VolumeReplica("v-r1", "v", "a", true, -1),
                new VolumeReplica("v-r2", "v", "b", false, 40)),
            List.of(),
            Optional.empty());
    RebuildEstimate estimate =
        RebuildEstimate.NOTHING_SEEN
            .seen(
                new StorageView(
                    List.of(new VolumeReplica("v-r2", "v", "b", false, 20)),
                    List.of(),
                    Optional.empty()),
                NOW)
            .seen(last, NOW.plusSeconds(600));
    assertThat(last.explain("a", List.of(), estimate))
        .containsExactly(
            "volume v: replica v-r1 here is the last healthy one; v-r2 on b is rebuilt: 40%, about"
                + " 30 min left; next: wait");
    assertThat(last.keeps("a")).isPresent();
    assertThat(last.keeps("b")).isEmpty();

    StorageView orphan =
        new StorageView(
            List.of(
                new VolumeReplica("v-r1", "v", "a", true, -1),
                new VolumeReplica("v-r2", "v", "b", true, -1)),
            List.of("v-e-0"),
            Optional.empty());
    assertThat(orphan.keeps("a")).isEmpty();
    assertThat(orphan.explain("a", List.of("im-1 with budget im-1"), estimate))
        .singleElement()
        .asString()
        .startsWith("im-1 with budget im-1 blocks, although every volume")
        .contains("engines without a volume here: v-e-0", "detach or delete them");

    assertThat(StorageView.unreadable("forbidden").explain("a", List.of(), estimate))
        .containsExactly(
            "replicas could not be read: forbidden; next: nothing is assumed, the node is not"
                + " drained");
    assertThat(StorageView.NONE.keeps("a")).isEmpty();
  }

  @Test
  void aRebuildThatStartsOverIsEstimatedAnew() {
    StorageView far = rebuilding(80);
    StorageView again = rebuilding(10);
    RebuildEstimate estimate = RebuildEstimate.NOTHING_SEEN.seen(far, NOW).seen(again, NOW);

    assertThat(estimate.left("r")).isEmpty();
    assertThat(estimate.seen(rebuilding(55), NOW.plusSeconds(45)).left("r"))
        .contains(Duration.ofSeconds(45));
  }

  private static StorageView rebuilding(int progress) {
    return new StorageView(
        List.of(new VolumeReplica("r", "v", "b", false, progress)), List.of(), Optional.empty());
  }

  @Test
  void membershipIsKnownFromTheFlagTheRecordOrTheNodes() {
    ClusterMembership unknown = ClusterMembership.UNKNOWN;
    var auto = ClusterMembership.Wanted.AUTO;
    assertThat(unknown.next(auto, Optional.empty(), OptionalInt.empty()).clustered()).isEmpty();
    assertThat(unknown.next(auto, Optional.empty(), OptionalInt.of(1)).clustered()).contains(false);
    assertThat(unknown.next(auto, Optional.empty(), OptionalInt.of(2)).clustered()).contains(true);
    assertThat(
            unknown
                .next(ClusterMembership.Wanted.YES, Optional.empty(), OptionalInt.of(1))
                .clustered())
        .contains(true);
    assertThat(
            unknown
                .next(ClusterMembership.Wanted.NO, Optional.empty(), OptionalInt.of(9))
                .clustered())
        .contains(false);

    ClusterMembership member =
        unknown.next(auto, Optional.of(new ClusterConfig(true, true, "")), OptionalInt.of(1));
    assertThat(member.clustered()).as("the record counts, not the nodes").contains(true);
    assertThat(
            member.next(auto, Optional.of(new ClusterConfig(false, false, "")), OptionalInt.of(3)))
        .as("a record that is not initialized is noise")
        .isEqualTo(member);

    ClusterMembership left =
        member.next(auto, Optional.of(new ClusterConfig(true, false, "")), OptionalInt.of(3));
    assertThat(left.left()).isTrue();
    assertThat(left.clustered()).contains(false);
    assertThat(member.next(auto, Optional.empty(), OptionalInt.of(3)).left())
        .as("the record was removed")
        .isTrue();
    assertThat(
            unknown
                .next(auto, Optional.of(new ClusterConfig(true, false, "")), OptionalInt.of(3))
                .left())
        .as("it never was in a cluster")
        .isFalse();
    assertThat(left.gone().left()).isFalse();
  }

  @Test
  void afterABootOnlyOurOwnCordonIsLifted() {
    PeerNode ready = new PeerNode("a", "", false, true, false, true, true, "");
    PeerNode starting = new PeerNode("a", "", false, false, false, true, true, "");

    assertThat(BootUncordon.decide(Optional.of(ready), true, false, false))
        .isEqualTo(BootUncordon.RELEASE);
    assertThat(BootUncordon.decide(Optional.of(starting), true, false, false))
        .isEqualTo(BootUncordon.LOOK_AGAIN);
    assertThat(BootUncordon.decide(Optional.empty(), false, false, false))
        .isEqualTo(BootUncordon.LOOK_AGAIN);
    assertThat(BootUncordon.decide(Optional.of(ready), false, false, false))
        .as("an administrator's cordon")
        .isEqualTo(BootUncordon.DONE);
    assertThat(BootUncordon.decide(Optional.of(ready), true, true, false))
        .as("a drain of this boot")
        .isEqualTo(BootUncordon.DONE);
    assertThat(BootUncordon.decide(Optional.of(ready), true, false, true))
        .as("a tie-breaker is back, and stays cordoned")
        .isEqualTo(BootUncordon.KEEP_CORDONED);
    assertThat(BootUncordon.decide(Optional.of(starting), true, false, true))
        .isEqualTo(BootUncordon.LOOK_AGAIN);
    assertThat(BootUncordon.decide(Optional.of(ready), false, false, true))
        .isEqualTo(BootUncordon.DONE);
  }

  @Test
  void deviceOperationsWaitWhileTheirDrainIsActiveOrFailed() {
    for (NodeDrainState state : NodeDrainState.values()) {
      boolean waits = state.number() >= 3 && state.number() <= 8;
      assertThat(WaitDrain.next(false, state, true, false)).as("%s", state).isEqualTo(waits);
      assertThat(WaitDrain.next(true, state, true, false))
          .as("%s", state)
          .isEqualTo(state != NodeDrainState.COMPLETE);
      assertThat(WaitDrain.next(false, state, false, false)).as("another's").isFalse();
      assertThat(WaitDrain.next(true, state, false, false)).as("another's").isTrue();
      assertThat(WaitDrain.next(true, state, true, true)).as("switched off").isFalse();
    }
  }

  /** Longhorn does not hear of a node that is silent, and goes on to call its replicas healthy. */
  @Test
  void replicasOfSilentOrMissingNodesDoNotCount() {
    StorageView storage =
        new StorageView(
            List.of(
                new VolumeReplica("r1", "v", "a", true, -1),
                new VolumeReplica("r2", "v", "b", true, -1),
                new VolumeReplica("r3", "v", "gone", true, -1)),
            List.of(),
            Optional.empty());

    assertThat(storage.on(nodes(true)).keeps("a")).isEmpty();
    assertThat(storage.on(nodes(false)).keeps("a"))
        .contains("the last healthy replica of volume v is here");
  }

  private static ClusterNodes nodes(boolean peerReady) {
    return new ClusterNodes(
        "a",
        List.of(
            new PeerNode("a", "", false, true, false, false, true, ""),
            new PeerNode("b", "", true, peerReady, false, false, false, "")));
  }
}
