package dev.drydock.app.operator;

import static dev.drydock.app.operator.TestOperators.SYSTEM;
import static dev.drydock.app.operator.TestOperators.eventually;
import static dev.drydock.app.operator.TestOperators.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.app.DrydockTest;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.serve.feature.Features;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.EstablishedDefinitions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which parts an operator runs, on clusters of their own that know only what the test installs. */
@ClusterTest
class PartsIT {
  private static final String AUDIT_POLICY =
      """
      apiVersion: audit.k8s.io/v1
      kind: Policy
      omitStages: [RequestReceived]
      rules: [{level: Metadata, verbs: [watch]}]
      """;

  private final Path folder;
  private final Path audit;
  private final ControlPlane cluster;
  private final TestOperators operators;

  PartsIT(@TempDir Path folder) throws IOException {
    this.folder = folder;
    audit = folder.resolve("audit.log");
    Path policy = Files.writeString(folder.resolve("audit-policy.yaml"), AUDIT_POLICY);
    cluster =
        ControlPlane.start(
            ControlPlane.Options.defaults()
                .withFlags(
                    "kube-apiserver",
                    "--audit-policy-file=" + policy,
                    "--audit-log-path=" + audit));
    operators = new TestOperators(cluster, folder);
  }

  @AfterEach
  void stop() {
    operators.close();
    cluster.close();
  }

  private void define(Features features) throws IOException {
    Path crds = Files.writeString(folder.resolve("parts.yaml"), CrdCatalog.yaml(features.kinds()));
    cluster.kubectl("apply", "--server-side", "-f", crds.toString()).output();
    EstablishedDefinitions.await(cluster.client());
  }

  @Test
  void onePartNeedsOnlyItsOwnDefinitionsAndRights() throws Exception {
    define(Features.load().only(List.of("lifecycle")));
    Path kubeconfig = operators.kubeconfigWithRights("parts/base.yaml", "parts/lifecycle.yaml");
    String node = "apiVersion: v1\nkind: Node\nmetadata: {name: \"n\"}\n";
    cluster.kubectlWithInput(node, "create", "-f", "-").output();

    operators.start(
        "only", SYSTEM, kubeconfig, "--parts=lifecycle", "--lifecycle-unclaimed-after=2s");
    DrydockTest.Outcome drain =
        DrydockTest.run("lifecycle", "drain", "n", "--kubeconfig", cluster.kubeconfig().toString());

    assertThat(drain.err()).contains("no agent claims events of node n");
    assertThat(operators.log("only"))
        .contains("leading")
        .doesNotContain("forbidden", "WARN  part", "ERROR");

    Process named =
        operators.start("named", SYSTEM, cluster.kubeconfig(), "--parts=lifecycle,drain");
    assertThat(named.waitFor()).isEqualTo(1);
    assertThat(operators.log("named"))
        .contains(
            "error: the CRD of DrainRequest is not installed; run: drydock crds | kubectl apply --server-side -f -");

    Process all = operators.start("all", SYSTEM, cluster.kubeconfig());
    eventually(() -> operators.log("all").contains("the leader is only_"));
    assertThat(operators.log("all"))
        .contains(
            "part drain is disabled because the CRD of DrainRequest is not installed; to enable it run: drydock crds",
            "part maintenance is disabled");

    define(Features.load());
    assertThat(all.waitFor()).isZero();
    assertThat(operators.log("all")).contains("installed now; this process ends");
  }

  @Test
  void aProcessThatRunsAllPartsWatchesEachSourceOnce() throws Exception {
    Features all = Features.load();
    assertThat(all.parts())
        .contains(
            "drain", "edge", "fault-quarantine", "ingest", "lifecycle", "maintenance", "slingshot");
    define(all);
    cluster.kubectl("create", "namespace", SYSTEM).output();
    for (String name : List.of("first", "second")) {
      operators.start(
          name,
          SYSTEM,
          cluster.kubeconfigFor(name, "system:masters"),
          "--parts=" + String.join(",", all.parts()),
          "--event-store-folder=" + folder.resolve("store-of-" + name),
          "--event-ingest-insecure=true",
          "--event-ingest-address=127.0.0.1:0");
    }
    eventually(
        () ->
            operators.log("first").contains("the leader is second_")
                || operators.log("second").contains("the leader is first_"));
    String leader = operators.log("first").contains("the leader is second_") ? "second" : "first";
    eventually(() -> watches(leader).contains("/api/v1/nodes?"));
    eventually(() -> watches("first").contains("notifymaintenances"));
    eventually(() -> watches("second").contains("notifymaintenances"));
    // what the leader alone does for slingshot and health
    eventually(() -> watches(leader).contains("/cxidrivers?"));
    eventually(() -> operators.log(leader).contains("health events are taken on port"));
    eventually(() -> watches(leader).contains("metadata.name%3Dcircuit-breaker"));

    for (String name : List.of("first", "second")) {
      // a watch that the server ended is opened again, and its end may be written down later
      patiently()
          .untilAsserted(
              () ->
                  assertThat(watches(name).lines()).as(name).isNotEmpty().doesNotHaveDuplicates());
    }
  }

  /** What a user watches now, without what differs from one watch of a source to the next. */
  private String watches(String user) throws IOException {
    ObjectMapper json = new ObjectMapper();
    StringBuilder uris = new StringBuilder();
    Map<String, JsonNode> open = new LinkedHashMap<>();
    String log = Files.readString(audit);
    // the server may be in the middle of a line
    for (String line : log.substring(0, log.lastIndexOf('\n') + 1).lines().toList()) {
      JsonNode event = json.readTree(line);
      if (event.path("stage").asText().equals("ResponseComplete")) {
        open.remove(event.path("auditID").asText());
      } else {
        open.put(event.path("auditID").asText(), event);
      }
    }
    for (JsonNode event : open.values()) {
      if (event.path("user").path("username").asText().equals(user)) {
        String[] parts = event.path("requestURI").asText().split("\\?", 2);
        uris.append(parts[0])
            .append('?')
            .append(
                Arrays.stream(parts[1].split("&", -1))
                    .filter(each -> each.startsWith("fieldSelector") || each.startsWith("label"))
                    .collect(Collectors.joining("&")))
            .append('\n');
      }
    }
    return uris.toString();
  }
}
