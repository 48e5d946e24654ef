package dev.drydock.drain.stop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.drain.stop.decide.StopAnswers;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Json;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StopWitnessesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:10:00Z");

  private static ApiObject lease(String namespace, String name, String holder, String seen) {
    return lease(namespace, name, holder, seen, "2026-01-01T00:09:59.000000Z");
  }

  private static ApiObject lease(
      String namespace, String name, String holder, String seen, String renewed) {
    ObjectNode lease = Json.object();
    ObjectNode metadata = lease.putObject("metadata").put("namespace", namespace).put("name", name);
    if (!seen.isEmpty()) {
      metadata.putObject("annotations").put(StopAcknowledgement.SEEN, seen);
    }
    lease
        .putObject("spec")
        .put("holderIdentity", holder)
        .put("leaseDurationSeconds", 15)
        .put("renewTime", renewed);
    return ApiObject.of(lease);
  }

  private static StopAnswers judge(ApiObject... leases) {
    return StopAnswers.of(
        Stream.of(leases).map(StopWitnesses::read).toList(), "drydock-system", "7", NOW);
  }

  @Test
  void allHaveSeenIt() {
    StopAnswers answer =
        judge(
            lease("drydock-system", "drydock-operator", "op-1", "7"),
            lease("kube-node-lease", "drydock-claimer-n1", "agent-1", "7"),
            lease("kube-node-lease", "drydock-edge-agent-n1", "agent-2", "7"),
            lease("kube-node-lease", "drydock-edge-turn", "n1_agent-2", ""),
            lease("kube-node-lease", "n1", "n1", ""));

    assertThat(answer.seen()).isEqualTo(3);
    assertThat(answer.missing()).isEmpty();
  }

  @Test
  void aTenantsLeaseWithTheNameOfAnAgentsIsNotAnAgents() {
    StopAnswers answer =
        judge(
            lease("kube-node-lease", "drydock-claimer-n1", "agent-1", "7"),
            lease("tenant", "drydock-claimer-n2", "forged", ""));

    assertThat(answer.seen()).isEqualTo(1);
    assertThat(answer.missing()).isEmpty();
  }

  @Test
  void thoseThatHaveNotAreNamed() {
    StopAnswers answer =
        judge(
            lease("drydock-system", "drydock-operator", "op-1", "6"),
            lease("kube-node-lease", "drydock-claimer-n1", "agent-1", ""));

    assertThat(answer.seen()).isZero();
    assertThat(answer.missing())
        .satisfiesExactly(
            agent -> assertThat(agent).startsWith("agent agent-1 (Lease kube-node-lease/drydock-"),
            operator -> assertThat(operator).startsWith("operator op-1 (Lease drydock-system/"));
  }

  @Test
  void anOperatorOfAnotherNamespaceIsNamedWithWhatStopsIt() {
    assertThat(judge(lease("default", "drydock-operator", "op-2", "")).missing())
        .singleElement()
        .satisfies(line -> assertThat(line).endsWith("stop it with --operator-namespace default"));
  }

  @Test
  void operatorsWithoutElectionAreFoundByLeasesOfTheirOwn() {
    StopAnswers answer =
        judge(
            lease("drydock-system", UnelectedLease.name("host_0a-1"), "host_0a-1", "7"),
            lease("default", UnelectedLease.name("host_0b-2"), "host_0b-2", ""));

    assertThat(answer.seen()).isEqualTo(1);
    assertThat(answer.missing())
        .singleElement()
        .satisfies(
            line ->
                assertThat(line)
                    .startsWith("operator host_0b-2 (Lease default/drydock-operator-0b-2, ")
                    .endsWith("stop it with --operator-namespace default"));
  }

  @Test
  void aReleasedLeaseIsNobodysAndAnOldOneIsOnlyMentioned() {
    StopAnswers answer =
        judge(
            lease("drydock-system", "drydock-operator", "", ""),
            lease("default", "drydock-operator", "dead", "", "2026-01-01T00:08:00.000000Z"));

    assertThat(answer.missing()).isEmpty();
    assertThat(answer.gone()).hasSize(1);
  }
}
