package dev.drydock.kube;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.Conditions.Condition;
import dev.drydock.kube.time.TimeSource;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Single objects: found or not, created or there already, changed by others in between. */
class ObjectWritesTest {
  private static final Resource MAPS = Resource.CONFIG_MAPS;
  private static final ApiObject MAP = ApiObject.identified("ns", "map", "uid-1", "7");
  private static final String STORED = "{\"metadata\": {\"name\": \"map\", \"uid\": \"uid-1\"}}";
  private static final String NO = "{\"message\": \"no\"}";

  private TestingApiServer server;
  private KubeHttp http;

  @BeforeEach
  void start() throws IOException {
    server = new TestingApiServer();
    http = new KubeHttp(server.client(), RequestInterceptor.NONE, 500);
  }

  @AfterEach
  void stop() {
    http.close();
    server.close();
  }

  private static ObjectNode manifest() {
    ObjectNode map = Json.object();
    map.putObject("metadata").put("namespace", "ns").put("name", "map");
    return map;
  }

  private String sent(int request) {
    return server.requests.get(request).replace(" Bearer secret", "");
  }

  @Test
  void anObjectThatIsNotThereIsNotFoundAndOneThatCannotBeReadIsAFailure() {
    server.answer(200, STORED).answer(404, NO).answer(403, NO);

    assertThat(http.find(MAPS, "ns", "map").map(ApiObject::of).map(ApiObject::uid))
        .contains("uid-1");
    assertThat(http.find(MAPS, "ns", "map")).isEmpty();
    assertThatThrownBy(() -> http.find(MAPS, "ns", "map"))
        .isInstanceOf(ApiFailure.class)
        .hasMessage("ConfigMap ns/map: no");
    assertThat(sent(0)).startsWith("GET /api/v1/namespaces/ns/configmaps/map");
  }

  @Test
  void aStatusThatIsReplacedKeepsNothingOfTheOneBefore() throws IOException {
    ObjectNode present =
        (ObjectNode)
            Json.read("{\"a\": 1, \"b\": {\"c\": 1, \"d\": 2}, \"e\": [1], \"f\": {\"g\": 1}}");
    ObjectNode wanted = (ObjectNode) Json.read("{\"b\": {\"d\": 3}, \"e\": [], \"h\": 4}");

    Patch patch = Patch.sameUid(MAPS, MAP).replaceStatus(present, wanted);

    assertThat(Json.read(requireNonNull(patch.call().body())).path("status"))
        .isEqualTo(
            Json.read(
                "{\"b\": {\"d\": 3, \"c\": null}, \"e\": [], \"h\": 4, \"a\": null, \"f\": null}"));
    assertThat(wanted.has("a")).as("what was given stays as it is").isFalse();
  }

  @Test
  void whatIsThereAlreadyIsReadInsteadOfCreated() {
    server.answer(201, STORED).answer(409, NO).answer(200, STORED);

    assertThat(http.createOrFind(MAPS, manifest()).existed()).isFalse();
    assertThat(http.createOrFind(MAPS, manifest()).existed()).isTrue();
    assertThat(server.requests).hasSize(3);
    assertThat(sent(1)).startsWith("POST /api/v1/namespaces/ns/configmaps ");
    assertThat(sent(2)).startsWith("GET /api/v1/namespaces/ns/configmaps/map");
  }

  @Test
  void whatCannotBeCreatedOrHasGoneMeanwhileIsAFailure() {
    server.answer(409, NO).answer(404, NO).answer(422, NO);

    assertThatThrownBy(() -> http.createOrFind(MAPS, manifest()))
        .isInstanceOfSatisfying(ApiFailure.class, no -> assertThat(no.code()).isEqualTo(409));
    assertThatThrownBy(() -> http.createOrFind(MAPS, manifest()))
        .isInstanceOfSatisfying(ApiFailure.class, no -> assertThat(no.code()).isEqualTo(422));
  }

  @Test
  void appliesToTheObjectThatTheManifestNames() {
    server.answer(200, STORED).answer(403, NO);

    assertThat(ApiObject.of(http.apply(MAPS, manifest())).uid()).isEqualTo("uid-1");
    assertThat(sent(0))
        .isEqualTo(
            "PATCH /api/v1/namespaces/ns/configmaps/map?fieldManager=drydock&force=true"
                + " application/apply-patch+yaml");
    assertThatThrownBy(() -> http.apply(MAPS, manifest())).hasMessage("ConfigMap ns/map: no");
  }

  @Test
  void aPatchSaysWhetherItsPreconditionHeldAndWhetherTheObjectWasThere() {
    Patch patch = Patch.ifUnchanged(MAPS, MAP).label("a", "b");

    server.answer(200, STORED).answer(409, NO);
    assertThat(patch.sendUnlessConflict(http)).isPresent();
    assertThat(patch.sendUnlessConflict(http)).isEmpty();
    server.answer(200, STORED).answer(404, NO).answer(409, NO);
    assertThat(patch.sendIfExists(http)).isPresent();
    assertThat(patch.sendIfExists(http)).isEmpty();
    assertThatThrownBy(() -> patch.sendIfExists(http)).hasMessage("ConfigMap ns/map: no");
    assertThat(server.bodies.getFirst())
        .isEqualTo(
            "{\"metadata\":{\"uid\":\"uid-1\",\"resourceVersion\":\"7\",\"labels\":{\"a\":\"b\"}}}");
  }

  @Test
  void retriesUntilNobodyElseWritesInBetween() {
    int[] tries = new int[1];

    String written =
        Patch.retrying("it", () -> ++tries[0] < 3 ? Optional.empty() : Optional.of("done"));

    assertThat(written).isEqualTo("done");
    assertThat(tries[0]).isEqualTo(3);
  }

  @Test
  void givesUpWithAConflictWhenOthersAlwaysWriteFirst() {
    assertThatThrownBy(() -> Patch.retrying("holds of node n", Optional::empty))
        .isInstanceOfSatisfying(ApiFailure.class, no -> assertThat(no.code()).isEqualTo(409))
        .hasMessage("holds of node n: 20 conflicting updates; try again");
  }

  @Test
  void conditionsOfANodeAreWrittenByUidAndKeepTheTimeOfTheirStatus() throws IOException {
    ApiObject node = ApiObject.identified("", "n", "uid-n", "7");
    Conditions present =
        Conditions.of(
            Json.read(
                """
                {"conditions": [{"type": "A", "status": "True",
                  "lastTransitionTime": "2026-01-01T00:00:00Z"}]}"""));
    List<Condition> wanted =
        List.of(Condition.of("A", true, "Still", "m"), Condition.of("B", false, "New", "m"));
    try (Kube kube = new Kube(http, TimeSource.REAL)) {
      NodeConditions conditions = new NodeConditions(kube);
      server.answer(200, STORED).answer(409, NO).answer(409, NO);

      assertThat(conditions.tryWrite(node, present, wanted)).isPresent();
      assertThat(conditions.tryWrite(node, present, wanted)).isEmpty();
      assertThatThrownBy(() -> conditions.write(node, present, wanted))
          .hasMessage("conditions of node n: no");
    }
    assertThat(sent(0))
        .isEqualTo("PATCH /api/v1/nodes/n/status application/strategic-merge-patch+json");
    ApiObject sent = ApiObject.of(Json.read(server.bodies.getFirst()));
    assertThat(sent.uid()).isEqualTo("uid-n");
    assertThat(sent.version()).isEmpty();
    assertThat(sent.conditions().says(wanted.getFirst())).isTrue();
    assertThat(sent.conditions().says(wanted.getLast())).isTrue();
    assertThat(sent.conditions().get("A").orElseThrow().path("lastTransitionTime").asText())
        .isEqualTo("2026-01-01T00:00:00Z");
    assertThat(sent.conditions().all())
        .allSatisfy(each -> assertThat(each.path("lastHeartbeatTime").asText()).endsWith("Z"));
  }
}
