package dev.drydock.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.Transport;
import dev.drydock.sim.SimulatedCluster.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Watches and lists inside the process, in virtual time. */
class LocalTransportTest {
  private static final Duration WATCH_DELAY = Duration.ofMillis(7);
  private static final Duration ENOUGH = Duration.ofMinutes(1);
  private static final int HISTORY = 5;
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: %s, namespace: default}
      spec: {nodeName: %s, containers: [{name: main, image: none}]}
      """;

  private final SteppedCluster cluster =
      new SteppedCluster(Settings.defaults().withHistory(HISTORY));
  private final Transport transport =
      cluster.cluster.transport(cluster.cluster.time(), this::watchDelay);
  private int tellings;

  private Duration watchDelay() {
    tellings++;
    return WATCH_DELAY;
  }

  @AfterEach
  void close() {
    transport.close();
    cluster.close();
  }

  /** What a watch brought: the type of each event and the name of its object. */
  private final class Recorded implements Transport.Events {
    private final List<String> events = new ArrayList<>();
    private Optional<String> end = Optional.empty();
    private String version = "";

    Recorded(String path) {
      var _ = transport.watch(ApiCall.watch(path), ENOUGH, ENOUGH, this);
    }

    @Override
    public boolean event(JsonNode event) {
      JsonNode metadata = event.path("object").path("metadata");
      version = metadata.path("resourceVersion").asText();
      events.add((event.path("type").asText() + " " + metadata.path("name").asText()).strip());
      return true;
    }

    @Override
    public void ended(KubeAnswer answer, Optional<String> broken) {
      end = Optional.of(broken.orElse("by the server"));
    }
  }

  private static String podsOn(String node) {
    return "/api/v1/pods?watch=true&allowWatchBookmarks=true&timeoutSeconds=180"
        + "&fieldSelector=spec.nodeName%3D"
        + node;
  }

  @Test
  void aChangeIsToldOnlyToWatchesThatItMayConcern() {
    List<Recorded> watches = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      watches.add(new Recorded(podsOn("node-" + i)));
    }
    cluster.advance("1S");
    tellings = 0;

    cluster.create(POD.formatted("one", "node-17"));
    cluster.advance("1S");
    cluster.patch("Pod", "one", "{metadata: {labels: {a: b}}}");
    cluster.advance("1S");

    assertThat(watches.get(17).events).containsExactly("ADDED one", "MODIFIED one");
    assertThat(watches).filteredOn(watch -> !watch.events.isEmpty()).hasSize(1);
    assertThat(tellings).isEqualTo(2);
  }

  @Test
  void whatComesIntoASelectionIsNewAndWhatLeavesItIsGone() {
    Recorded phase = new Recorded("/api/v1/pods?watch=true&fieldSelector=spec.nodeName%3Dnode-1");
    Recorded namespace = new Recorded("/api/v1/namespaces/default/pods?watch=true");
    Recorded other = new Recorded("/api/v1/namespaces/kube-system/pods?watch=true");
    Recorded named = new Recorded("/api/v1/namespaces/default/pods/one?watch=true");
    Recorded labelled = new Recorded("/api/v1/pods?watch=true&labelSelector=a%3Db");
    cluster.advance("1S");

    cluster.create(POD.formatted("one", "node-1"));
    cluster.patch("Pod", "one", "{metadata: {labels: {a: b}}}");
    cluster.patch("Pod", "one", "{metadata: {labels: {a: c}}}");
    cluster.create(POD.formatted("two", "node-2"));
    cluster.advance("1S");

    assertThat(phase.events).containsExactly("ADDED one", "MODIFIED one", "MODIFIED one");
    assertThat(namespace.events)
        .containsExactly("ADDED one", "MODIFIED one", "MODIFIED one", "ADDED two");
    assertThat(other.events).isEmpty();
    assertThat(named.events).isEqualTo(phase.events);
    assertThat(labelled.events).containsExactly("ADDED one", "DELETED one");
  }

  @Test
  void aQuietWatchIsToldHowFarItCameAndGoesOnThereThoughMuchWasForgotten() {
    cluster.create(POD.formatted("one", "node-1"));
    Recorded first = new Recorded(podsOn("node-1"));
    for (int i = 0; i < 10 * HISTORY; i++) {
      cluster.create(POD.formatted("other-" + i, "node-2"));
    }
    cluster.advance("180S");

    assertThat(first.events).first().isEqualTo("ADDED one");
    assertThat(first.events).last().isEqualTo("BOOKMARK");
    assertThat(first.end).contains("by the server");
    Recorded second = new Recorded(podsOn("node-1") + "&resourceVersion=" + first.version);
    cluster.create(POD.formatted("two", "node-1"));
    cluster.advance("1S");
    assertThat(second.events).containsExactly("ADDED two");
  }

  @Test
  void whoGoesOnFromBeforeWhatIsRememberedIsToldSo() {
    cluster.create(POD.formatted("one", "node-1"));
    Recorded first = new Recorded(podsOn("node-1"));
    cluster.advance("1S");
    for (int i = 0; i < 10 * HISTORY; i++) {
      cluster.create(POD.formatted("other-" + i, "node-2"));
    }

    Recorded second = new Recorded(podsOn("node-1") + "&resourceVersion=" + first.version);
    cluster.advance("1S");

    assertThat(second.events).containsExactly("ERROR");
    assertThat(second.end).contains("by the server");
  }

  @Test
  void thePodsOfANodeAndAnObjectByItsNameAreListedAsByLookingAtAll() {
    cluster.create(POD.formatted("one", "node-1"));
    cluster.create(POD.formatted("two", "node-2"));
    cluster.create(POD.formatted("three", "node-1"));

    assertThat(names("/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-1"))
        .containsExactly("one", "three");
    assertThat(names("/api/v1/namespaces/default/pods?fieldSelector=spec.nodeName%3Dnode-1"))
        .containsExactly("one", "three");
    assertThat(names("/api/v1/namespaces/kube-system/pods?fieldSelector=spec.nodeName%3Dnode-1"))
        .isEmpty();
    assertThat(names("/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-3")).isEmpty();
    assertThat(names("/api/v1/pods?fieldSelector=spec.nodeName%21%3Dnode-1"))
        .containsExactly("two");
    assertThat(names("/api/v1/pods?fieldSelector=metadata.name%3Dtwo")).containsExactly("two");
    assertThat(names("/api/v1/namespaces/default/pods?fieldSelector=metadata.name%3Dtwo"))
        .containsExactly("two");
    assertThat(
            names(
                "/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-1%2Cmetadata.name%3Dthree"
                    + "&limit=1"))
        .containsExactly("three");
  }

  private List<String> names(String path) {
    KubeAnswer answer = transport.send(ApiCall.list(path), ENOUGH);
    assertThat(answer.ok()).isTrue();
    List<String> names = new ArrayList<>();
    answer
        .body()
        .path("items")
        .forEach(item -> names.add(item.path("metadata").path("name").asText()));
    return names;
  }
}
