package dev.drydock.simulate.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.sim.SimulatedApiServer;
import dev.drydock.simulate.fleet.Budget;
import dev.drydock.simulate.fleet.Fleet;
import dev.drydock.simulate.fleet.FleetReader;
import dev.drydock.simulate.fleet.Pool;
import dev.drydock.simulate.fleet.Workload;
import dev.drydock.simulate.fleet.Workload.Kind;
import dev.drydock.testbed.CommandOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the simulated API server, which fulfils the same contract as a real one. */
class ExportCommandTest {
  @TempDir private Path folder;
  private final Map<String, String> uids = new HashMap<>();
  private SimulatedApiServer server;

  @BeforeEach
  void start() throws IOException {
    server = SimulatedApiServer.start(SimulatedApiServer.Options.defaults());
    server.writeKubeconfig(folder.resolve("kubeconfig"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void nodesThatAreAlikeAreAPool() {
    for (int i = 1; i <= 3; i++) {
      node("cpu-" + i, "\"disk\":\"ssd\",\"topology.kubernetes.io/zone\":\"z" + i + "\"", "");
    }
    node("gpu-1", "\"disk\":\"ssd\"", "\"taints\":[{\"key\":\"gpu\",\"effect\":\"NoSchedule\"}]");

    Fleet fleet = export();

    assertThat(fleet.pools()).extracting(Pool::name).containsExactly("pool-1", "pool-2");
    Pool cpu = fleet.pools().getFirst();
    assertThat(cpu.nodes())
        .extracting(Pool.Node::name, Pool.Node::zone)
        .contains(tuple("cpu-2", "z2"));
    assertThat(cpu.labels()).isEqualTo(Map.of("disk", "ssd"));
    assertThat(cpu.capacity()).isEqualTo(Map.of("cpu", "8", "memory", "31Gi", "pods", "110"));
    assertThat(fleet.pools().get(1).taints())
        .extracting(Object::toString)
        .containsExactly("gpu:NoSchedule");
  }

  @Test
  void podsOfOneOwnerAreAWorkloadAndSecretsStayBehind() {
    node("n1", "", "");
    node("n2", "", "");
    pod("web-7d9-a", "ReplicaSet", "web-7d9", "n1", "pod-template-hash\":\"7d9\",\"app\":\"web");
    pod("web-7d9-b", "ReplicaSet", "web-7d9", "n1", "pod-template-hash\":\"7d9\",\"app\":\"web");
    pod("web-7d9-c", "ReplicaSet", "web-7d9", "n2", "pod-template-hash\":\"7d9\",\"app\":\"web");
    pod("agent-x", "DaemonSet", "agent", "n1", "app\":\"agent");
    pod("lonely", "", "", "n2", "app\":\"lonely");

    CommandOutcome outcome = run();
    Fleet fleet = FleetReader.read("out", outcome.out());

    assertThat(outcome.err()).contains("2 nodes in 1 pools, 5 pods in 3 workloads, 0 budgets.");
    assertThat(fleet.workloads())
        .extracting(Workload::toString, Workload::kind, Workload::replicas)
        .containsExactlyInAnyOrder(
            tuple("default/web", Kind.Deployment, 3),
            tuple("default/agent", Kind.DaemonSet, 0),
            tuple("default/lonely", Kind.Bare, 1));
    Workload web = workload(fleet, "web");
    assertThat(web.labels()).isEqualTo(Map.of("app", "web"));
    assertThat(web.where().placed()).isEqualTo(Map.of("n1", 2, "n2", 1));
    assertThat(web.requests()).isEqualTo(Map.of("cpu", "250m", "memory", "64Mi"));
    assertThat(web.times().stops()).isEqualTo("20s");
    assertThat(web.times().grace()).isEqualTo(Duration.ofSeconds(45));
    assertThat(web.where().selectors()).containsExactly("disk=ssd");
    assertThat(web.where().tolerations()).extracting(Object::toString).containsExactly("gpu");
    assertThat(outcome.out()).doesNotContain("hunter2", "registry", "note-to-self");
  }

  @Test
  void budgetsAreKept() {
    node("n1", "", "");
    post(
        "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
        """
        {"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"web"},
         "spec":{"minAvailable":"90%","unhealthyPodEvictionPolicy":"AlwaysAllow",
          "selector":{"matchLabels":{"app":"web"}}}}
        """);

    Budget budget = export().budgets().getFirst();

    assertThat(budget.amount()).isEqualTo("90%");
    assertThat(budget.selector().orElseThrow()).hasToString("app=web");
    assertThat(budget.alwaysAllowUnhealthy()).isTrue();
  }

  @Test
  void listsAreReadInParts() {
    for (int i = 1; i <= 5; i++) {
      node("n" + i, "", "");
    }

    CommandOutcome outcome = run("--chunk-size", "2");

    assertThat(FleetReader.read("out", outcome.out()).nodeCount()).isEqualTo(5);
    assertThat(outcome.err()).contains("2 of 5 nodes");
  }

  @Test
  void anonymousNamesAreTheSameEverywhere() throws IOException {
    node("secret-host", "\"team\":\"falcon\"", "");
    pod("falcon-1", "StatefulSet", "falcon", "secret-host", "app\":\"falcon");
    post(
        "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
        """
        {"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"falcon"},
         "spec":{"minAvailable":1,"selector":{"matchLabels":{"app":"falcon"}}}}
        """);
    Path file = folder.resolve("fleet.json");

    CommandOutcome outcome = run("--anonymize", "-o", file.toString());
    Fleet fleet = FleetReader.read(file);

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out()).isEmpty();
    assertThat(Files.readString(file)).doesNotContain("falcon", "secret-host");
    Workload workload = fleet.workloads().getFirst();
    assertThat(workload.where().placed()).isEqualTo(Map.of("node-1", 1));
    assertThat(fleet.budgets().getFirst().selector().orElseThrow().matches(workload.labels()))
        .isTrue();
  }

  @Test
  void whatWasRenamedIsWrittenDownForTheUserAlone() throws IOException {
    node("secret-host", "\"team\":\"falcon\"", "");
    pod("falcon-1", "StatefulSet", "falcon", "secret-host", "app\":\"falcon");
    Path mapping = folder.resolve("names.yaml");

    CommandOutcome first = run("--anonymize", "--mapping", mapping.toString());
    CommandOutcome again = run("--anonymize", "--mapping", mapping.toString());

    assertThat(first.exitCode()).as(first.err()).isZero();
    assertThat(first.out()).doesNotContain("falcon", "secret-host");
    assertThat(Files.readAllLines(mapping))
        .contains("node-1: secret-host", "workload-1: falcon", "value-1: falcon");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(mapping)))
        .isEqualTo("rw-------");
    assertThat(again.exitCode()).isEqualTo(2);
    assertThat(again.err()).contains("name a new file; existing files are not overwritten");
  }

  @Test
  void aMappingOfNothingIsRefused() {
    CommandOutcome outcome = run("--mapping", folder.resolve("names.yaml").toString());

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).startsWith("error: --mapping needs --anonymize");
    assertThat(folder.resolve("names.yaml")).doesNotExist();
  }

  @Test
  void aMisspeltNamespaceIsToldAndAnEmptyOneToo() {
    node("n1", "", "");
    post(
        "/api/v1/namespaces",
        "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"idle\"}}");

    CommandOutcome misspelt = run("-n", "nosuchns");
    CommandOutcome idle = run("-n", "idle");

    assertThat(misspelt.exitCode()).isEqualTo(1);
    assertThat(misspelt.out()).isEmpty();
    assertThat(misspelt.err()).contains("error: there is no namespace \"nosuchns\"");
    assertThat(idle.exitCode()).isZero();
    assertThat(idle.err()).contains("Warning: namespace idle has no running pods and no budgets");
  }

  @Test
  void itHasHelp() {
    CommandOutcome outcome = CommandOutcome.run("export", "--help");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out()).contains("Usage: drydock export", "--help");
    assertThat(CommandOutcome.run("help", "export").out()).isEqualTo(outcome.out());
  }

  @Test
  void aClusterWithoutNodesIsNothingToExport() {
    CommandOutcome outcome = run();

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("error: the cluster has no nodes");
  }

  private Fleet export() {
    return FleetReader.read("out", run().out());
  }

  private static Workload workload(Fleet fleet, String name) {
    return fleet.workloads().stream().filter(w -> w.name().equals(name)).findFirst().orElseThrow();
  }

  private CommandOutcome run(String... flags) {
    List<String> words = new ArrayList<>(List.of("export"));
    words.addAll(List.of(flags));
    words.addAll(List.of("--kubeconfig", folder.resolve("kubeconfig").toString()));
    return CommandOutcome.run(words.toArray(String[]::new));
  }

  private void node(String name, String labels, String spec) {
    post(
        "/api/v1/nodes",
        """
        {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s","labels":{%s}},"spec":{%s},
         "status":{"allocatable":{"cpu":"8","memory":"33000000Ki","pods":"110","hugepages-2Mi":"0"},
          "conditions":[{"type":"Ready","status":"True"}]}}
        """
            .formatted(name, labels, spec));
  }

  /** Pods whose owner does not exist are removed, so it has to exist. */
  private String owner(String kind, String name) {
    return uids.computeIfAbsent(
        name,
        _ ->
            post(
                    "/apis/apps/v1/namespaces/default/" + kind.toLowerCase(Locale.ROOT) + "s",
                    """
                    {"apiVersion":"apps/v1","kind":"%s","metadata":{"name":"%s"},
                     "spec":{"selector":{"matchLabels":{"owner":"%s"}},
                      "template":{"metadata":{"labels":{"owner":"%s"}},
                       "spec":{"containers":[{"name":"main","image":"x"}]}}}}
                    """
                        .formatted(kind, name, name, name))
                .path("metadata")
                .path("uid")
                .asText());
  }

  private void pod(String name, String kind, String owner, String node, String labels) {
    String owners =
        kind.isEmpty()
            ? ""
            : """
              "ownerReferences":[{"apiVersion":"apps/v1","kind":"%s","name":"%s","uid":"%s",
              "controller":true}],"""
                .formatted(kind, owner, owner(kind, owner));
    post(
        "/api/v1/namespaces/default/pods",
        """
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s",%s"labels":{"%s"},
         "annotations":{"sim.drydock.dev/stop-after":"20s","note-to-self":"x"}},
         "spec":{"nodeName":"%s","terminationGracePeriodSeconds":45,"nodeSelector":{"disk":"ssd"},
          "tolerations":[{"key":"gpu","operator":"Exists"}],
          "containers":[{"name":"main","image":"registry/app","env":[{"name":"P","value":"hunter2"}],
           "resources":{"requests":{"cpu":"250m","memory":"64Mi"}}}]}}
        """
            .formatted(name, owners, labels, node));
  }

  private JsonNode post(String path, String body) {
    try {
      HttpResponse<String> answer =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create(server.uri() + path))
                      .header("Content-Type", "application/json")
                      .POST(HttpRequest.BodyPublishers.ofString(body))
                      .build(),
                  HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
      return new ObjectMapper().readTree(answer.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
