package dev.drydock.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.kubernetes.client.proto.IntStr;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Resource;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Apps;
import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Defaulting and validation when workloads, pods and nodes are written, in any encoding. */
public abstract class WorkloadContract extends ApiContract {
  private static final String TEMPLATE =
      """
      "template": {"metadata": {"labels": {"app": "web"}},
                   "spec": {"containers": [{"name": "main", "image": "none:1"}]}}
      """;

  @Test
  void aDeploymentIsCompletedWhenItIsCreated() {
    JsonNode spec = createDeployment().path("spec");

    assertThat(spec.path("replicas").asInt()).isEqualTo(1);
    assertThat(spec.at("/strategy/rollingUpdate/maxSurge").asText()).isEqualTo("25%");
    assertThat(spec.path("revisionHistoryLimit").asInt()).isEqualTo(10);
    assertThat(spec.at("/template/spec/restartPolicy").asText()).isEqualTo("Always");
    assertThat(spec.at("/template/spec/containers/0/imagePullPolicy").asText())
        .isEqualTo("IfNotPresent");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|spec.selector,spec.template.metadata.labels,spec.template.spec.containers",
        "{\"selector\": {\"matchLabels\": {\"app\": \"other\"}}, TEMPLATE}|spec.template.metadata.labels",
        "{\"selector\": {}, TEMPLATE}|spec.selector",
        "{\"replicas\": -1, \"selector\": {\"matchLabels\": {\"app\": \"web\"}}, TEMPLATE}|spec.replicas"
      })
  void aDeploymentThatMakesNoSenseIsRefused(String spec, String fields) {
    Answer answer =
        post(
            deployments(),
            "{\"metadata\": {\"name\": \"web\"}, \"spec\": %s}"
                .formatted(spec.replace("TEMPLATE", TEMPLATE)));

    assertThat(answer.code()).isEqualTo(422);
    assertThat(answer.causes())
        .extracting(StatusCause::getField)
        .containsExactly(fields.split(","));
  }

  @Test
  void whichPodsADeploymentHasNeverChanges() {
    createDeployment();

    Answer answer =
        patch(
            deployments() + "/web",
            MERGE_PATCH,
            """
            {"spec": {"selector": {"matchLabels": {"app": "other"}},
                      "template": {"metadata": {"labels": {"app": "other"}}}}}
            """);

    assertThat(answer.status().getMessage())
        .isEqualTo(
            "Deployment.apps \"web\" is invalid: spec.selector: Invalid value:"
                + " {\"matchLabels\":{\"app\":\"other\"}}: field is immutable");
  }

  @Test
  void aDeploymentIsScaledThroughItsScale() {
    createDeployment();
    String scale = deployments() + "/web/scale";

    assertThat(get(scale).json().at("/spec/replicas").asInt()).isEqualTo(1);
    assertThat(get(scale).json().at("/status/selector").asText()).isEqualTo("app=web");
    Answer answer = patch(scale, MERGE_PATCH, "{\"spec\": {\"replicas\": 4}}");

    assertThat(answer.json().path("kind").asText()).isEqualTo("Scale");
    assertThat(get(deployments() + "/web").json().at("/spec/replicas").asInt()).isEqualTo(4);
    assertThat(get(deployments() + "/web").json().at("/metadata/generation").asInt()).isEqualTo(2);
  }

  @Test
  void aScaleOfAnOlderVersionIsAConflict() {
    createDeployment();
    String scale = deployments() + "/web/scale";
    String seen = get(scale).body();
    patch(scale, MERGE_PATCH, "{\"spec\": {\"replicas\": 4}}");

    assertThat(send("PUT", scale, "application/json", seen).code()).isEqualTo(409);
  }

  @Test
  void aJobKnowsItsPodsByItsUid() {
    JsonNode job =
        post(
                "apis/batch/v1/namespaces/" + namespace() + "/jobs",
                """
                {"metadata": {"name": "once"}, "spec": {"template": {"spec": {
                  "restartPolicy": "Never", "containers": [{"name": "main", "image": "none"}]}}}}
                """)
            .json();

    String uid = job.at("/metadata/uid").asText();
    assertThat(
            job.at("/spec/selector/matchLabels")
                .path("batch.kubernetes.io/controller-uid")
                .asText())
        .isEqualTo(uid);
    assertThat(job.at("/spec/template/metadata/labels/job-name").asText()).isEqualTo("once");
    assertThat(job.at("/spec/backoffLimit").asInt()).isEqualTo(6);
  }

  @Test
  void aPodToleratesAnAbsentNodeForAWhile() {
    JsonNode pod = post(podsPath(namespace()), podWith("")).json();

    assertThat(pod.at("/spec/tolerations").findValuesAsText("key"))
        .containsExactly("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");
    assertThat(pod.at("/spec/tolerations").findValuesAsText("tolerationSeconds"))
        .containsExactly("300", "300");
    assertThat(pod.at("/spec/priority").asInt()).isZero();
  }

  @Test
  void thePriorityOfAPodIsThatOfItsClass() {
    JsonNode pod =
        post(podsPath(namespace()), podWith("\"priorityClassName\": \"system-node-critical\","))
            .json();
    Answer unknown = post(podsPath(namespace()), podWith("\"priorityClassName\": \"none-such\","));

    assertThat(pod.at("/spec/priority").asInt()).isEqualTo(2_000_001_000);
    assertThat(unknown.code()).isEqualTo(403);
    assertThat(unknown.status().getMessage())
        .endsWith("is forbidden: no PriorityClass with name none-such was found");
  }

  @Test
  void aContainerNeedsANameAndAnImage() {
    Answer answer =
        post(
            podsPath(namespace()),
            "{\"metadata\": {\"name\": \"web\"}, \"spec\": {\"containers\": [{}]}}");

    assertThat(answer.causes())
        .extracting(StatusCause::getField)
        .containsExactly("spec.containers[0].name", "spec.containers[0].image");
  }

  @ParameterizedTest
  @CsvSource({
    "'{\"key\": \"a\", \"effect\": \"Never\"}', metadata.taints[0].effect",
    "'{\"key\": \"a\"}', metadata.taints[0].effect",
    "'{\"key\": \"a b\", \"effect\": \"NoSchedule\"}', metadata.taints[0].key"
  })
  void aTaintThatMakesNoSenseIsRefused(String taint, String field) {
    Node node = createNode();

    Answer answer =
        patch(path(node), MERGE_PATCH, "{\"spec\": {\"taints\": [%s]}}".formatted(taint));

    assertThat(answer.code()).isEqualTo(422);
    assertThat(answer.causes()).extracting(StatusCause::getField).contains(field);
  }

  @Test
  void aLabelThatIsNoneIsRefused() {
    Answer answer =
        patch(path(createNode()), MERGE_PATCH, "{\"metadata\": {\"labels\": {\"a b\": \"c\"}}}");

    assertThat(answer.code()).isEqualTo(422);
    assertThat(answer.causes()).extracting(StatusCause::getField).contains("metadata.labels");
  }

  @Test
  void aNameThatTheServerMakesHas63CharactersAtMost() {
    String maps = "api/v1/namespaces/" + namespace() + "/configmaps";
    String body = "{\"metadata\": {\"generateName\": \"%s\"}}".formatted("a.".repeat(120) + "a-");

    assertThat(post(maps, body).json().at("/metadata/name").asText())
        .matches("(a\\.){29}[a-z0-9]{5}");
  }

  @Test
  void anUnknownFieldIsAWarningUnlessAskedForMore() {
    String maps = "api/v1/namespaces/" + namespace() + "/configmaps";
    String body = "{\"metadata\": {\"generateName\": \"a-\"}, \"dta\": {}}";

    assertThat(post(maps, body).warnings()).containsExactly("299 - \"unknown field \\\"dta\\\"\"");
    assertThat(post(maps + "?fieldValidation=Ignore", body).warnings()).isEmpty();
    assertThat(post(maps + "?fieldValidation=Strict", body).status().getMessage())
        .isEqualTo(
            "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error:"
                + " unknown field \"dta\"");
  }

  @Test
  void aBodyInProtobufIsTheSameAsInJson() throws Exception {
    V1Apps.Deployment deployment =
        V1Apps.Deployment.newBuilder()
            .setMetadata(Meta.ObjectMeta.newBuilder().setName("web"))
            .setSpec(
                V1Apps.DeploymentSpec.newBuilder()
                    .setReplicas(0)
                    .setSelector(Meta.LabelSelector.newBuilder().putMatchLabels("app", "web"))
                    .setTemplate(
                        V1.PodTemplateSpec.newBuilder()
                            .setMetadata(Meta.ObjectMeta.newBuilder().putLabels("app", "web"))
                            .setSpec(podSpec())))
            .build();

    JsonNode created =
        postProtobuf(deployments(), "apps/v1", "Deployment", deployment.toByteString());

    assertThat(created.at("/spec/replicas").asInt(-1)).isZero();
    JsonNode pod = created.at("/spec/template/spec");
    assertThat(pod.at("/containers/0/resources/requests/cpu").asText()).isEqualTo("100m");
    assertThat(pod.at("/volumes/0/emptyDir").isObject()).isTrue();
    assertThat(pod.at("/containers/0/livenessProbe/httpGet/port").asText()).isEqualTo("web");
    assertThat(pod.at("/restartPolicy").asText()).isEqualTo("Always");
  }

  private static V1.PodSpec.Builder podSpec() {
    return V1.PodSpec.newBuilder()
        .addVolumes(
            V1.Volume.newBuilder()
                .setName("scratch")
                .setVolumeSource(
                    V1.VolumeSource.newBuilder()
                        .setEmptyDir(V1.EmptyDirVolumeSource.getDefaultInstance())))
        .addContainers(
            V1.Container.newBuilder()
                .setName("main")
                .setImage("none:1")
                .setResources(
                    V1.ResourceRequirements.newBuilder()
                        .putRequests(
                            "cpu", Resource.Quantity.newBuilder().setString("100m").build()))
                .setLivenessProbe(
                    V1.Probe.newBuilder()
                        .setHandler(
                            V1.ProbeHandler.newBuilder()
                                .setHttpGet(
                                    V1.HTTPGetAction.newBuilder()
                                        .setPath("/")
                                        .setPort(
                                            IntStr.IntOrString.newBuilder()
                                                .setType(1)
                                                .setStrVal("web"))))));
  }

  private JsonNode postProtobuf(String path, String apiVersion, String kind, ByteString object)
      throws Exception {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.write(new byte[] {'k', '8', 's', 0});
    Runtime.Unknown.newBuilder()
        .setTypeMeta(Runtime.TypeMeta.newBuilder().setApiVersion(apiVersion).setKind(kind))
        .setRaw(object)
        .build()
        .writeTo(body);
    Answer answer =
        send(
            request(path)
                .post("application/vnd.kubernetes.protobuf", body.toByteArray())
                .setHeader("Accept", "application/json")
                .build());
    assertThat(answer.code()).as(answer.toString()).isEqualTo(201);
    return answer.json();
  }

  private JsonNode createDeployment() {
    Answer answer =
        post(
            deployments(),
            """
            {"metadata": {"name": "web"},
             "spec": {"paused": true, "selector": {"matchLabels": {"app": "web"}}, %s}}
            """
                .formatted(TEMPLATE));
    assertThat(answer.code()).as(answer.toString()).isEqualTo(201);
    return answer.json();
  }

  private static String podWith(String field) {
    return """
        {"metadata": {"generateName": "web-"}, "spec": {%s "schedulerName": "nobody",
         "containers": [{"name": "main", "image": "none"}]}}
        """
        .formatted(field);
  }

  private String deployments() {
    return "apis/apps/v1/namespaces/" + namespace() + "/deployments";
  }
}
