package dev.drydock.maintenance.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Json;
import dev.drydock.serve.admission.AdmissionHandler;
import dev.drydock.serve.admission.AdmissionRule;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.testkit.LoopbackServer;
import dev.drydock.testkit.TestCluster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Questions as an API server asks them, about a simulated cluster. */
class AdmissionHandlerTest {
  private static final ObjectMapper YAML = new YAMLMapper();

  private final TestCluster cluster =
      TestCluster.simulated(SimulatedCluster.running(SimulatedCluster.Settings.defaults()));
  private final HttpClient client = HttpClient.newHttpClient();
  private final LoopbackServer server = new LoopbackServer();

  @BeforeEach
  void start() {
    cluster.define(CrdCatalog.yaml());
    create("kind: Node\napiVersion: v1\nmetadata: {name: node-1}\n");
    answerBy(new NotifyMaintenanceRule(cluster.process().kube().http()));
  }

  @AfterEach
  void stop() {
    server.close();
    client.close();
    cluster.close();
  }

  private void create(String manifest) {
    var _ =
        cluster
            .client()
            .load(new ByteArrayInputStream(manifest.getBytes(StandardCharsets.UTF_8)))
            .create();
  }

  private void answerBy(AdmissionRule rule) {
    server.handle("/", new AdmissionHandler(rule));
  }

  private HttpResponse<String> post(String body) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(server.uri("/"))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static ObjectNode maintenance(String node, String id, String more) throws IOException {
    return (ObjectNode)
        YAML.readTree(
            """
            apiVersion: ngn2.nvidia.com/v1alpha1
            kind: NotifyMaintenance
            metadata: {name: one, namespace: default}
            spec: {nodeObject: %s, maintenanceID: %s, maintenanceType: planned%s}
            """
                .formatted(node, id, more));
  }

  private JsonNode ask(String operation, ObjectNode object)
      throws IOException, InterruptedException {
    ObjectNode review = Json.object();
    review.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
    review
        .putObject("request")
        .put("uid", "u-1")
        .put("operation", operation)
        .put("namespace", "default")
        .set("object", object);
    HttpResponse<String> answer = post(review.toString());
    assertThat(answer.statusCode()).isEqualTo(200);
    JsonNode body = Json.read(answer.body());
    assertThat(body.path("kind").asText()).isEqualTo("AdmissionReview");
    assertThat(body.path("apiVersion").asText()).isEqualTo("admission.k8s.io/v1");
    assertThat(body.path("response").path("uid").asText()).isEqualTo("u-1");
    return body.path("response");
  }

  private String refusal(ObjectNode object) throws IOException, InterruptedException {
    JsonNode response = ask("CREATE", object);
    assertThat(response.path("allowed").asBoolean(true)).isFalse();
    return response.path("status").path("message").asText();
  }

  @Test
  void aMaintenanceOfANodeThatExistsIsAllowed() throws Exception {
    JsonNode response = ask("CREATE", maintenance("node-1", "fw-1", ""));

    assertThat(response.path("allowed").asBoolean()).isTrue();
    assertThat(response.has("status")).isFalse();
  }

  @Test
  void anUnknownNodeIsRefused() throws Exception {
    assertThat(refusal(maintenance("node-2", "fw-1", "")))
        .isEqualTo("spec.nodeObject: node \"node-2\" does not exist; see 'kubectl get nodes'");
  }

  @Test
  void aConfigMapHasToExistInTheNamespace() throws Exception {
    ObjectNode object = maintenance("node-1", "fw-1", ", metadataConfigmap: meta");
    assertThat(refusal(object)).startsWith("spec.metadataConfigmap: ConfigMap \"meta\"");

    create("kind: ConfigMap\napiVersion: v1\nmetadata: {name: meta, namespace: default}\n");

    assertThat(ask("CREATE", object).path("allowed").asBoolean()).isTrue();
  }

  @Test
  void aClassIsUnknownWhereNobodyKnowsTheKind() throws Exception {
    assertThat(refusal(maintenance("node-1", "fw-1", ", maintenanceClass: gpu")))
        .startsWith("spec.maintenanceClass: MaintenanceClass \"gpu\" does not exist");
  }

  @Test
  void theSameTaskOnTheSameNodeIsRefusedAnywhere() throws Exception {
    assertSameTaskIsRefused();
  }

  private void assertSameTaskIsRefused() throws Exception {
    create(maintenance("node-1", "fw-1", "").toString());

    assertThat(refusal(maintenance("node-1", "fw-1", "")))
        .startsWith("spec.maintenanceID: NotifyMaintenance default/one has the ID \"fw-1\"");
    assertThat(ask("CREATE", maintenance("node-1", "fw-2", "")).path("allowed").asBoolean())
        .as("another task")
        .isTrue();
  }

  @Test
  void theSameTaskIsFoundAlsoByTheDefinitionOfAnotherController() throws Exception {
    var _ =
        cluster
            .client()
            .apiextensions()
            .v1()
            .customResourceDefinitions()
            .withName("notifymaintenances.ngn2.nvidia.com")
            .delete();
    cluster.define(
        Files.readString(
            Path.of("src", "test", "resources", "original", "notifymaintenances.yaml")));

    assertSameTaskIsRefused();
  }

  @Test
  void aChangeIsNoneOfItsBusiness() throws Exception {
    assertThat(ask("UPDATE", maintenance("node-2", "fw-1", "")).path("allowed").asBoolean())
        .isTrue();
  }

  @Test
  void whatCannotBeFoundOutIsRefused() throws Exception {
    answerBy(
        request -> {
          throw new ApiFailure(500, "the server is on fire");
        });

    JsonNode response = ask("CREATE", maintenance("node-1", "fw-1", ""));

    assertThat(response.path("allowed").asBoolean(true)).isFalse();
    assertThat(response.path("status").path("code").asInt()).isEqualTo(503);
    assertThat(response.path("status").path("message").asText())
        .isEqualTo("it could not be checked: the server is on fire; try again");
  }

  @Test
  void whatIsNoReviewIsABadRequest() throws Exception {
    assertThat(post("nonsense").statusCode()).isEqualTo(400);
    assertThat(post("{}").statusCode()).isEqualTo(400);
  }

  @Test
  void aMaintenanceWithoutNodeOrTaskIsRefused() throws Exception {
    ObjectNode bare = maintenance("node-1", "one", "");
    bare.remove("spec");

    assertThat(refusal(bare)).contains("spec.nodeObject", "spec.maintenanceID");
    assertThat(refusal(maintenance("''", "one", ""))).contains("spec.nodeObject");
    assertThat(refusal(maintenance("..", "one", ""))).contains("spec.nodeObject");
  }
}
