package dev.drydock.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.lifecycle.compat.CompatLifecycleEvent;
import dev.drydock.kube.ObjectName;
import dev.drydock.testbed.CommandOutcome;
import dev.drydock.testkit.CommandFixture;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code drydock lifecycle drain} says of an outcome that somebody wrote by hand. */
class LifecycleDrainCommandTest {
  private static final String NOT_THE_DRIVERS =
      "claimStatus Succeeded was written by somebody else; the driver has not said so";

  private CommandFixture fixture;
  private String node;

  @BeforeEach
  void open(@TempDir Path folder) {
    fixture = CommandFixture.simulated(folder);
    fixture.define();
    fixture.create(CrdCatalog.yaml(CrdCatalog.COMPATIBLE));
    fixture
        .eventually()
        .until(() -> fixture.client().resources(CompatLifecycleEvent.class).list() != null);
    node = fixture.addNode();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private CompletableFuture<CommandOutcome> drain() {
    return CompletableFuture.supplyAsync(
        () -> fixture.drydock("lifecycle", "drain", node), task -> Thread.ofVirtual().start(task));
  }

  private Optional<CompatLifecycleEvent> event() {
    return Optional.ofNullable(
        fixture.client().resources(CompatLifecycleEvent.class).withName("drain-" + node).get());
  }

  private String message() {
    return event()
        .map(CompatLifecycleEvent::getStatus)
        .map(status -> Objects.toString(status.message(), ""))
        .orElse("");
  }

  private void succeedByHand() {
    var _ =
        fixture
            .client()
            .resources(CompatLifecycleEvent.class)
            .withName("drain-" + node)
            .subresource("status")
            .patch(
                PatchContext.of(PatchType.JSON_MERGE),
                "{\"status\":{\"claimStatus\":\"Succeeded\"}}");
  }

  private void assertNotBelieved(CompletableFuture<CommandOutcome> command, String outcome)
      throws Exception {
    CommandOutcome ended = command.get(3, TimeUnit.MINUTES);
    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.err().lines().toList().getLast())
        .isEqualTo(
            "error: node/%1$s not drained: LifecycleEvent drain-%1$s: %2$s: %3$s"
                .formatted(node, outcome, NOT_THE_DRIVERS));
  }

  @Test
  void successByHandInTheMiddleOfADrainIsAFailure() throws Exception {
    fixture.create(
        """
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {name: guarded, namespace: %1$s}
        spec: {maxUnavailable: 0, selector: {matchLabels: {app: guarded}}}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: guarded, namespace: %1$s, labels: {app: guarded}}
        spec: {nodeName: %2$s, containers: [{name: main, image: none}]}
        """
            .formatted(fixture.namespace(), node));
    Path sockets = Files.createTempDirectory("slm"); // short, as paths of sockets have to be
    TestAgent agent =
        new SocketAgent(
            fixture.process(),
            LifecycleAgentSettings.defaults(
                node, fixture.namespace(), sockets.resolve("p"), sockets.resolve("r")));
    fixture.closeAtTheEnd(agent::close);
    CompletableFuture<CommandOutcome> command = drain();
    fixture.eventually().until(() -> message().contains("/guarded allows no eviction"));

    succeedByHand();

    assertNotBelieved(command, "Failed");
    fixture.eventually().until(() -> !fixture.isCordoned(node));
    assertThat(fixture.client().pods().inNamespace(fixture.namespace()).withName("guarded").get())
        .as("the pod of the drain that was stopped")
        .isNotNull();
  }

  @Test
  void theEventOfANodeWithTheLongestNameHasANameThatTheServerTakes() {
    String longest = fixture.addNodeWithLongName();

    CommandOutcome created = fixture.drydock("lifecycle", "drain", longest, "--wait=false");

    assertThat(created.exitCode()).as(created.err()).isZero();
    assertThat(fixture.client().resources(CompatLifecycleEvent.class).list().getItems())
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.getMetadata().getName())
                    .hasSizeLessThanOrEqualTo(ObjectName.LONGEST))
        .satisfies(event -> assertThat(event.getSpec().bindingNode()).isEqualTo(longest));
    assertThat(fixture.drydock("lifecycle", "drain", longest, "--no-wait").err())
        .contains("already exists");
  }

  @Test
  void successByHandWithoutAnAgentIsAFailure() throws Exception {
    CompletableFuture<CommandOutcome> command = drain();
    fixture.eventually().until(() -> event().isPresent());

    succeedByHand();

    assertNotBelieved(command, "Unknown");
  }
}
