package dev.drydock.health.drainer;

import static dev.drydock.health.drainer.NodeDrainerFixture.IMMEDIATE;
import static dev.drydock.health.drainer.NodeDrainerFixture.fault;
import static dev.drydock.health.drainer.NodeDrainerFixture.recovery;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.health.drainer.NodeDrainerFixture.Operator;
import dev.drydock.testkit.DyingProcess;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Dies at every write, before it or after it: the next process ends where the first would have. */
class NodeDrainerCrashTest {
  /** One way of draining. */
  private interface Story {
    NodeDrainerFixture fixture();

    String toml(NodeDrainerFixture fixture);

    /** What others do meanwhile. */
    void others(NodeDrainerFixture fixture);

    void check(NodeDrainerFixture fixture, String what);
  }

  private static void noWriteIsTheLast(Story story, int least) {
    int write = 0;
    boolean survived = false;
    while (!survived) {
      write++;
      boolean before = dies(story, write, false);
      boolean after = dies(story, write, true);
      survived = before && after;
    }
    assertThat(write).as("writes of a whole life").isGreaterThan(least);
  }

  /** Whether the process got to the end before it could die. */
  private static boolean dies(Story story, int write, boolean carriesItOut) {
    String what = "write %d, carried out %s".formatted(write, carriesItOut);
    try (NodeDrainerFixture fixture = story.fixture()) {
      String node = fixture.addNode();
      fixture.pod(node, "one");
      fixture.pod(node, "two");
      DyingProcess dying = DyingProcess.atWrite(write, carriesItOut);
      String first;
      String second;
      try (Operator operator = fixture.operator(story.toml(fixture), dying)) {
        first = fixture.send(fault(node));
        second = fixture.send(fault(node).entity("GPU", "1"));
        for (int i = 0; i < 20; i++) {
          fixture.cluster().pass(Duration.ofSeconds(1));
          story.others(fixture);
        }
        operator.process().kill();
      }
      boolean survived = !dying.isDead();
      try (Operator _ = fixture.operator(story.toml(fixture))) {
        fixture
            .cluster()
            .eventually()
            .untilAsserted(
                () -> {
                  story.others(fixture);
                  assertThat(fixture.drain(first)).as(what).isEqualTo("Succeeded");
                  assertThat(fixture.drain(second)).as(what).isEqualTo("AlreadyDrained");
                });
        fixture.cluster().pass(Duration.ofSeconds(30));
        assertThat(fixture.state(node)).as(what).isEqualTo("drain-succeeded");
        assertThat(fixture.holds(node)).as(what).doesNotContain("node-drainer");
        assertThat(fixture.record(node).orElseThrow().outcome()).as(what).isEqualTo("Succeeded");
        story.check(fixture, what);
        fixture.send(recovery(node));
        fixture.cluster().pass(Duration.ofSeconds(5));
        assertThat(fixture.state(node)).as(what).isEmpty();
        assertThat(fixture.node(node).getSpec().getUnschedulable()).as(what).isNull();
      }
      return survived;
    }
  }

  @Test
  void drainsByTheEngine() {
    noWriteIsTheLast(
        new Story() {
          @Override
          public NodeDrainerFixture fixture() {
            return NodeDrainerFixture.simulated();
          }

          @Override
          public String toml(NodeDrainerFixture fixture) {
            return IMMEDIATE;
          }

          @Override
          public void others(NodeDrainerFixture fixture) {}

          @Override
          public void check(NodeDrainerFixture fixture, String what) {
            assertThat(fixture.cluster().client().pods().inNamespace("apps").list().getItems())
                .as(what)
                .isEmpty();
          }
        },
        6);
  }

  @Test
  void drainsByOthers() {
    noWriteIsTheLast(
        new Story() {
          private final Set<String> made = new HashSet<>();

          @Override
          public NodeDrainerFixture fixture() {
            made.clear();
            return NodeDrainerFixture.withDrainRequests();
          }

          @Override
          public String toml(NodeDrainerFixture fixture) {
            return fixture.published();
          }

          @Override
          public void others(NodeDrainerFixture fixture) {
            List<GenericKubernetesResource> requests = fixture.requests();
            requests.forEach(each -> made.add(each.getMetadata().getUid()));
            requests.stream()
                .filter(each -> each.getMetadata().getDeletionTimestamp() == null)
                .filter(each -> each.get("status") == null)
                .forEach(each -> fixture.report(each, "Complete", "done"));
          }

          @Override
          public void check(NodeDrainerFixture fixture, String what) {
            assertThat(fixture.requests()).as(what).isEmpty();
            assertThat(made).as(what + ": one resource for the node and its quarantine").hasSize(1);
          }
        },
        5);
  }
}
