package dev.drydock.slingshot.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.Kube;
import dev.drydock.slingshot.decide.EffectiveSpec;
import dev.drydock.slingshot.decide.TestDrivers;
import dev.drydock.testkit.LoopBug;
import dev.drydock.testkit.TestCluster;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods that were admitted without a retry handler, while no operator answered. */
class UnprotectedPodTest {
  private final TestCluster cluster = TestCluster.simulated();
  private final AtomicReference<Optional<EffectiveSpec>> active =
      new AtomicReference<>(Optional.of(mode("sidecar")));

  private static EffectiveSpec mode(String mode) {
    return TestDrivers.spec(
        """
        {"version": "1.0.0", "source": {"type": "preinstalled"}, "retryHandler": {"mode": "%s"}}
        """
            .formatted(mode));
  }

  @BeforeEach
  void namespaces() {
    for (String value : List.of("enabled", "no")) {
      create(
          """
          apiVersion: v1
          kind: Namespace
          metadata: {name: %1$s, labels: {slingshot.hpe.com/inject-sidecar: "%1$s"}}
          """
              .formatted(value));
    }
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private void create(String yaml) {
    var _ =
        cluster
            .client()
            .load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
            .create();
  }

  private void pod(String namespace, String name, String metadata, String resource) {
    create(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: "%s"%s}
        spec:
          schedulerName: nobody
          containers: [{name: main, image: none, resources: {limits: {%s: 1}}}]
        """
            .formatted(name, namespace, metadata, resource));
  }

  /** Kind and name of what Events are about. */
  private List<String> told() {
    return cluster.client().events().v1().events().inAnyNamespace().list().getItems().stream()
        .filter(event -> event.getReason().equals("RetryHandlerNotInjected"))
        .map(event -> event.getRegarding().getKind() + " " + event.getRegarding().getName())
        .sorted()
        .toList();
  }

  @Test
  void ownersOfPodsThatLackTheirRetryHandlerAreToldOnce() {
    // any kind: controllers that the cluster knows would take the pod for one of theirs
    create("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: mpi, namespace: enabled}");
    String owner =
        cluster
            .client()
            .configMaps()
            .inNamespace("enabled")
            .withName("mpi")
            .require()
            .getMetadata()
            .getUid();
    String owned =
        ", ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: mpi, uid: %s, controller: true}]"
            .formatted(owner);
    pod("enabled", "mpi-0", owned, "hpe.com/cxi");
    pod("enabled", "alone", "", "hpe.com/cxi");
    pod("enabled", "other", "", "nvidia.com/gpu");
    pod(
        "enabled",
        "refusing",
        ", annotations: {slingshot.hpe.com/inject-retry-handler: 'false'}",
        "hpe.com/cxi");
    pod(
        "enabled",
        "injected",
        ", labels: {slingshot.hpe.com/managed-by: slingshot-operator}",
        "hpe.com/cxi");
    pod("no", "elsewhere", "", "hpe.com/cxi");
    for (int process = 0; process < 2; process++) {
      try (UnprotectedPodController controller =
          new UnprotectedPodController(cluster.process().kube(), active::get)) {
        controller.wake();
        cluster
            .eventually()
            .untilAsserted(() -> assertThat(told()).containsExactly("ConfigMap mpi", "Pod alone"));
        cluster.pass(Duration.ofMinutes(1));
      }
    }
    assertThat(told()).as("one that takes over does not repeat it").hasSize(2);
  }

  @Test
  void inOtherModesNobodyIsTold() {
    active.set(Optional.of(mode("daemonset")));
    pod("enabled", "alone", "", "hpe.com/cxi");
    try (UnprotectedPodController controller =
        new UnprotectedPodController(cluster.process().kube(), active::get)) {
      controller.wake();
      cluster.pass(Duration.ofMinutes(1));
      assertThat(told()).isEmpty();

      active.set(Optional.of(mode("sidecar")));
      controller.wake();
      cluster.eventually().until(() -> told().equals(List.of("Pod alone")));

      active.set(Optional.of(mode("none")));
      controller.wake();
      cluster.pass(Duration.ofSeconds(5));
      pod("enabled", "later", "", "hpe.com/cxi");
      cluster.pass(Duration.ofMinutes(1));
      assertThat(told()).containsExactly("Pod alone");
    }
  }

  @Test
  void aPodThatMeetsABugKeepsNoOtherOwnerFromBeingTold() {
    pod("enabled", "good", "", "hpe.com/cxi");
    create(
        """
        apiVersion: v1
        kind: Namespace
        metadata: {name: bad, labels: {slingshot.hpe.com/inject-sidecar: enabled}}
        """);
    pod("bad", "unlucky", "", "hpe.com/cxi");
    LoopBug bug = new LoopBug().at(call -> call.path().endsWith("/namespaces/bad"));
    Kube kube = cluster.process(bug).kube();
    try (UnprotectedPodController controller = new UnprotectedPodController(kube, active::get)) {
      controller.wake();
      bug.staysIn(
          "cxi-unprotected-pods",
          kube,
          cluster.eventually(),
          () -> assertThat(told()).containsExactly("Pod good"),
          () -> assertThat(told()).containsExactly("Pod good", "Pod unlucky"));
    }
  }
}
