package dev.drydock.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.time.VirtualTime;
import dev.drydock.sim.Http.Answer;
import dev.drydock.sim.json.JsonTrees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Behaviour of the simulation beyond the contract that it shares with a real server. */
class ApiFactsTest {
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final VirtualTime clock = new VirtualTime(START);
  private final SimulatedApiServer server = start(clock);
  private final Http http = new Http(server.uri());

  private static SimulatedApiServer start(VirtualTime clock) {
    try {
      return SimulatedApiServer.start(SimulatedApiServer.Options.defaults().withClock(clock));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void stop() {
    http.close();
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/v1/namespaces/default/services",
        "/apis/networking.k8s.io/v1/ingresses",
        "/api/v1/namespaces/default/pods/web/log",
        "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
        "/openapi/v2",
        "/metrics"
      })
  void whatIsNotSimulatedIsRefusedByName(String path) throws Exception {
    Answer answer = http.get(path);

    assertThat(answer.code()).isEqualTo(501);
    assertThat(answer.text("message")).contains(path);
  }

  @Test
  void aGroupThatNobodyDefinedIsNotFound() throws Exception {
    assertThat(http.get("/apis/example.com/v1/things").code()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{matchConditions: [{name: a, expression: 'true'}], clientConfig: {url: 'https://a'}}",
        "{clientConfig: {service: {name: a, namespace: b}}}",
        "{reinvocationPolicy: IfNeeded, clientConfig: {url: 'https://a'}}"
      })
  void aWebhookThatCouldNotBeAskedRightIsRefused(String webhook) throws Exception {
    Answer answer =
        http.post(
            "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
            "{metadata: {name: a}, webhooks: [" + webhook + "]}");

    assertThat(answer.code()).isEqualTo(501);
  }

  @Test
  void aQuotaIsRefusedBecauseNobodyWouldKeepIt() throws Exception {
    String quotas = "/api/v1/namespaces/default/resourcequotas";

    assertThat(http.post(quotas, "{metadata: {name: a}}").code()).isEqualTo(501);
    assertThat(names(http.get(quotas))).isEmpty();
  }

  @Test
  void aColumnThatCouldNotBeShownIsRefused() throws Exception {
    Answer answer =
        http.post(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
            """
            metadata: {name: things.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: things, kind: Thing}
              versions:
              - name: v1
                served: true
                storage: true
                schema: {openAPIV3Schema: {type: object}}
                additionalPrinterColumns: [{name: A, type: string, jsonPath: '.spec.list[0:1]'}]
            """);

    assertThat(answer.code()).isEqualTo(501);
    assertThat(answer.text("message")).contains(".spec.list[0:1]");
  }

  @Test
  void theSameSeedGivesTheSameNamesAndUids() throws Exception {
    Answer first = http.post(CONFIG_MAPS, "{metadata: {generateName: a-}}");
    try (SimulatedApiServer other = start(new VirtualTime(START));
        Http otherHttp = new Http(other.uri())) {
      Answer second = otherHttp.post(CONFIG_MAPS, "{metadata: {generateName: a-}}");

      assertThat(second.body()).isEqualTo(first.body());
      assertThat(first.text("metadata", "name")).matches("a-[a-z0-9]{5}");
      assertThat(first.text("metadata", "creationTimestamp")).isEqualTo("2030-01-01T00:00:00Z");
    }
  }

  @Test
  void aReplacementOfAnOlderVersionIsAConflict() throws Exception {
    JsonNode seen = http.post(CONFIG_MAPS, "{metadata: {name: a}}").body();
    http.merge(CONFIG_MAPS + "/a", "{data: {by: another}}");

    assertThat(http.put(CONFIG_MAPS + "/a", seen).code()).isEqualTo(409);
  }

  @Test
  void aDryRunLeavesNothingBehind() throws Exception {
    assertThat(http.post(CONFIG_MAPS + "?dryRun=All", "{metadata: {name: a}}").code())
        .isEqualTo(201);
    assertThat(http.get(CONFIG_MAPS + "/a").code()).isEqualTo(404);
  }

  @Test
  void aCollectionIsDeletedBySelector() throws Exception {
    http.post(CONFIG_MAPS, "{metadata: {name: a, labels: {x: y}}}");
    http.post(CONFIG_MAPS, "{metadata: {name: b}}");

    http.delete(CONFIG_MAPS + "?labelSelector=x%3Dy");

    assertThat(names(http.get(CONFIG_MAPS))).containsExactly("b");
  }

  @Test
  void dependentsGoWithTheLastOfTheirOwners() throws Exception {
    String first = http.post(CONFIG_MAPS, "{metadata: {name: first}}").text("metadata", "uid");
    String second = http.post(CONFIG_MAPS, "{metadata: {name: second}}").text("metadata", "uid");
    http.post(
        CONFIG_MAPS,
        "{metadata: {name: owned, ownerReferences: [%s, %s]}}"
            .formatted(reference("first", first), reference("second", second)));

    http.delete(CONFIG_MAPS + "/first");
    assertThat(http.get(CONFIG_MAPS + "/owned").code()).isEqualTo(200);

    http.delete(CONFIG_MAPS + "/second");
    assertThat(http.get(CONFIG_MAPS + "/owned").code()).isEqualTo(404);
  }

  @Test
  void orphansStayWithoutTheirOwner() throws Exception {
    String uid = http.post(CONFIG_MAPS, "{metadata: {name: owner}}").text("metadata", "uid");
    http.post(
        CONFIG_MAPS,
        "{metadata: {name: owned, ownerReferences: [%s]}}".formatted(reference("owner", uid)));

    http.delete(CONFIG_MAPS + "/owner?propagationPolicy=Orphan");

    assertThat(http.get(CONFIG_MAPS + "/owner").code()).isEqualTo(404);
    assertThat(http.get(CONFIG_MAPS + "/owned").body().path("metadata").has("ownerReferences"))
        .isFalse();
  }

  @Test
  void anOwnerDeletedInTheForegroundWaitsForItsDependents() throws Exception {
    String uid = http.post(CONFIG_MAPS, "{metadata: {name: owner}}").text("metadata", "uid");
    http.post(
        CONFIG_MAPS,
        "{metadata: {name: owned, finalizers: [example.com/held], ownerReferences: [%s]}}"
            .formatted(reference("owner", uid)));

    http.delete(CONFIG_MAPS + "/owner?propagationPolicy=Foreground");
    assertThat(http.get(CONFIG_MAPS + "/owner").text("metadata", "deletionTimestamp")).isNotEmpty();

    http.merge(CONFIG_MAPS + "/owned", "{metadata: {finalizers: null}}");
    assertThat(names(http.get(CONFIG_MAPS))).isEmpty();
  }

  @Test
  void aDeletedNamespaceGoesWithItsContent() throws Exception {
    http.post("/api/v1/namespaces", "{metadata: {name: team}}");
    http.post("/api/v1/namespaces/team/configmaps", "{metadata: {name: a}}");

    http.delete("/api/v1/namespaces/team");

    assertThat(http.get("/api/v1/namespaces/team").code()).isEqualTo(404);
    assertThat(http.get("/api/v1/namespaces/team/configmaps/a").code()).isEqualTo(404);
  }

  @Test
  void anEventIsTheSameInBothGroups() throws Exception {
    String events = "/apis/events.k8s.io/v1/namespaces/default/events";
    http.post(
        events,
        "{metadata: {name: e}, note: hello, regarding: {kind: Node, name: n}, reason: Because}");

    JsonNode core = http.get("/api/v1/namespaces/default/events/e").body();

    assertThat(JsonTrees.text(core, "message")).isEqualTo("hello");
    assertThat(JsonTrees.text(core, "involvedObject", "name")).isEqualTo("n");
    assertThat(JsonTrees.text(core, "apiVersion")).isEqualTo("v1");
    assertThat(http.get(events + "/e").text("note")).isEqualTo("hello");
    assertThat(names(http.get(events + "?fieldSelector=regarding.name%3Dn"))).containsExactly("e");
  }

  @Test
  void afterACompactionOldWatchesAndPagesAreGone() throws Exception {
    String version =
        http.post(CONFIG_MAPS, "{metadata: {name: a}}").text("metadata", "resourceVersion");
    http.post(CONFIG_MAPS, "{metadata: {name: b}}");
    String page = http.get(CONFIG_MAPS + "?limit=1").text("metadata", "continue");
    http.post(CONFIG_MAPS, "{metadata: {name: c}}");

    server.compact();

    Answer watch = http.get(CONFIG_MAPS + "?watch=true&resourceVersion=" + version);
    assertThat(watch.text("type")).isEqualTo("ERROR");
    assertThat(watch.text("object", "code")).isEqualTo("410");
    assertThat(http.get(CONFIG_MAPS + "?continue=" + page).code()).isEqualTo(410);
  }

  /** A grant counts for two minutes; then the controller assumes that the pod stays. */
  @Test
  void aGrantThatWasNotUsedComesBackWithTime() throws Exception {
    http.post(
        PODS,
        "{metadata: {name: web, labels: {app: web}}, spec: {nodeName: n, containers: [{name: c, image: i}]}}");
    http.merge(
        PODS + "/web/status",
        "{status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}}");
    http.post(
        BUDGETS,
        "{metadata: {name: web}, spec: {minAvailable: 0, selector: {matchLabels: {app: web}}}}");
    String eviction = "{metadata: {name: web}, deleteOptions: {preconditions: {uid: another}}}";
    assertThat(http.post(PODS + "/web/eviction", eviction).code()).isEqualTo(409);
    assertThat(allowed()).isEqualTo("0");

    clock.advance(Duration.ofSeconds(119));
    server.timePassed();
    assertThat(allowed()).isEqualTo("0");

    clock.advance(Duration.ofSeconds(1));
    server.timePassed();
    assertThat(allowed()).isEqualTo("1");
  }

  private String allowed() throws IOException, InterruptedException {
    return http.get(BUDGETS + "/web").text("status", "disruptionsAllowed");
  }

  private static String reference(String name, String uid) {
    return "{apiVersion: v1, kind: ConfigMap, name: %s, uid: %s}".formatted(name, uid);
  }

  private static List<String> names(Answer list) {
    return list.body()
        .path("items")
        .valueStream()
        .map(item -> JsonTrees.text(item, "metadata", "name"))
        .toList();
  }
}
