package dev.drydock.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Objects as table rows, as kubectl requests them. */
public abstract class TableContract extends ApiContract {
  private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "api/v1/nodes|Name,Status,Roles,Age,Version,Internal-IP*,External-IP*,OS-Image*,Kernel-Version*,Container-Runtime*",
        "api/v1/pods|Name,Ready,Status,Restarts,Age,IP*,Node*,Nominated Node*,Readiness Gates*",
        "api/v1/namespaces|Name,Status,Age",
        "api/v1/configmaps|Name,Data,Age",
        "api/v1/secrets|Name,Type,Data,Age",
        "api/v1/serviceaccounts|Name,Age",
        "api/v1/events|Last Seen,Type,Reason,Object,Subobject*,Source*,Message,First Seen*,Count*,Name*",
        "api/v1/replicationcontrollers|Name,Desired,Current,Ready,Age,Containers*,Images*,Selector*",
        "apis/apps/v1/deployments|Name,Ready,Up-to-date,Available,Age,Containers*,Images*,Selector*",
        "apis/apps/v1/replicasets|Name,Desired,Current,Ready,Age,Containers*,Images*,Selector*",
        "apis/apps/v1/daemonsets|Name,Desired,Current,Ready,Up-to-date,Available,Node Selector,Age,Containers*,Images*,Selector*",
        "apis/apps/v1/statefulsets|Name,Ready,Age,Containers*,Images*",
        "apis/batch/v1/jobs|Name,Status,Completions,Duration,Age,Containers*,Images*,Selector*",
        "apis/policy/v1/poddisruptionbudgets|Name,Min Available,Max Unavailable,Allowed Disruptions,Age",
        "apis/coordination.k8s.io/v1/leases|Name,Holder,Age",
        "apis/scheduling.k8s.io/v1/priorityclasses|Name,Value,Global-Default,Age,PreemptionPolicy",
        "apis/rbac.authorization.k8s.io/v1/roles|Name,Created At",
        "apis/rbac.authorization.k8s.io/v1/clusterrolebindings|Name,Role,Age,Users*,Groups*,ServiceAccounts*",
        "apis/apiextensions.k8s.io/v1/customresourcedefinitions|Name,Created At",
        "apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations|Name,Webhooks,Age"
      })
  void theColumnsAreThoseThatUsersKnow(String path, String columns) {
    JsonNode table = table(path + "?limit=1");

    assertThat(columns(table)).containsExactly(columns.split(","));
  }

  @Test
  void aRowShowsAPodAndWhoItIs() {
    Node node = createNode();
    Pod pod = createPod("web", "web", node);

    JsonNode row = table(path(pod)).at("/rows/0");

    assertThat(cells(row)).startsWith("web", "0/1", "Pending", "0");
    assertThat(cells(row).subList(5, 9))
        .containsExactly("<none>", node.getMetadata().getName(), "<none>", "<none>");
    assertThat(row.at("/object/kind").asText()).isEqualTo("PartialObjectMetadata");
    assertThat(row.at("/object/metadata/name").asText()).isEqualTo("web");
  }

  @Test
  void aPodIsReadyByItsContainers() {
    Pod pod = createPod("web", "web", createNode());
    patch(
        path(pod) + "/status",
        STRATEGIC_MERGE_PATCH,
        """
        {"status": {"phase": "Running", "containerStatuses": [{"name": "main", "ready": true,
          "restartCount": 0, "image": "none", "imageID": "", "state": {"running": {}}}]}}
        """);

    assertThat(cells(table(path(pod)).at("/rows/0"))).startsWith("web", "1/1", "Running", "0");

    delete(pod, Map.of("gracePeriodSeconds", 600));
    assertThat(cells(table(path(pod)).at("/rows/0"))).startsWith("web", "1/1", "Terminating");
  }

  @Test
  void aNodeShowsWhetherItIsReadyAndCordoned() {
    Node node = createNode();
    patch(
        path(node),
        MERGE_PATCH,
        """
        {"metadata": {"labels": {"node-role.kubernetes.io/gpu": ""}},
         "spec": {"unschedulable": true}}
        """);

    assertThat(cells(table(path(node)).at("/rows/0")))
        .startsWith(node.getMetadata().getName(), "Unknown,SchedulingDisabled", "gpu");
  }

  @Test
  void theObjectComesWholeOrNotAtAll() {
    Pod pod = createPod("web", "web", null);

    assertThat(
            table(path(pod) + "?includeObject=None").at("/rows/0/object").isNull()
                || table(path(pod) + "?includeObject=None").at("/rows/0/object").isMissingNode())
        .isTrue();
    JsonNode whole = table(podsPath(namespace()) + "?includeObject=Object").at("/rows/0/object");
    assertThat(whole.path("kind").asText()).isEqualTo("Pod");
    assertThat(whole.at("/spec/containers/0/name").asText()).isEqualTo("main");
  }

  @Test
  void aCustomResourceHasTheColumnsOfItsDefinition() {
    String group = uniqueName("g") + ".drydock.dev";
    createClusterScoped(Serialization.unmarshal(definition(group), CustomResourceDefinition.class));
    String things = "apis/" + group + "/v1/namespaces/" + namespace() + "/things";
    await()
        .until(
            () ->
                post(
                            things,
                            """
                            {"apiVersion": "%s/v1", "kind": "Thing", "metadata": {"name": "one"},
                             "spec": {"size": 3, "parts": [{"kind": "b", "value": "yes"}]}}
                            """
                                .formatted(group))
                        .code()
                    == 201);

    JsonNode table = table(things + "/one");

    assertThat(columns(table)).containsExactly("Name", "Size", "Part", "Missing", "Age*");
    assertThat(cells(table.at("/rows/0")).subList(0, 3)).containsExactly("one", "3", "yes");
    assertThat(table.at("/rows/0/cells/3").isNull()).isTrue();
  }

  @Test
  void metadataCanBeHadAlone() {
    createPod("web", "web", null);

    JsonNode list =
        send(request(podsPath(namespace()))
                .setHeader(
                    "Accept", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io")
                .build())
            .json();

    assertThat(list.path("kind").asText()).isEqualTo("PartialObjectMetadataList");
    assertThat(list.at("/items/0/metadata/name").asText()).isEqualTo("web");
    assertThat(list.at("/items/0").has("spec")).isFalse();
  }

  private static String definition(String group) {
    return """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: things.%1$s}
        spec:
          group: %1$s
          scope: Namespaced
          names: {plural: things, kind: Thing}
          versions:
          - name: v1
            served: true
            storage: true
            additionalPrinterColumns:
            - {name: Size, type: integer, jsonPath: .spec.size}
            - {name: Part, type: string, jsonPath: '.spec.parts[?(@.kind=="b")].value'}
            - {name: Missing, type: string, jsonPath: .spec.missing}
            - {name: Age, type: date, jsonPath: .metadata.creationTimestamp, priority: 1}
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
        """
        .formatted(group);
  }

  private JsonNode table(String path) {
    JsonNode table = send(request(path).setHeader("Accept", TABLE).build()).json();
    assertThat(table.path("kind").asText()).as(table.toString()).isEqualTo("Table");
    return table;
  }

  /** A star marks columns of {@code -o wide}. */
  private static List<String> columns(JsonNode table) {
    return table
        .path("columnDefinitions")
        .valueStream()
        .map(
            column ->
                column.path("name").asText() + (column.path("priority").asInt() > 0 ? "*" : ""))
        .toList();
  }

  private static List<String> cells(JsonNode row) {
    return row.path("cells").valueStream().map(JsonNode::asText).toList();
  }
}
