package dev.drydock.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lists of pods. */
public abstract class ListContract extends ApiContract {

  @Test
  void thePodsOfANodeAreSelectedByField() {
    Node node = createNode();
    createPod("here", "web", node);
    createPod("there", "web", createNode());
    createPod("nowhere", "web", null);

    List<Pod> found =
        client()
            .pods()
            .inAnyNamespace()
            .withField("spec.nodeName", node.getMetadata().getName())
            .list()
            .getItems();

    assertThat(found).extracting(pod -> pod.getMetadata().getName()).containsExactly("here");
  }

  @Test
  void aFieldThatCannotBeSelectedIsABadRequest() {
    Answer answer = get(podsPath(namespace()) + "?fieldSelector=spec.hostname%3Dx");

    assertThat(answer.code()).isEqualTo(400);
    assertThat(answer.status().getMessage()).isEqualTo("field label not supported: spec.hostname");
  }

  /** Version 0 may be answered from the server's cache: possibly stale, but complete. */
  @Test
  void anyVersionIsServedWithAVersionToWatchFrom() {
    createPod("web", "web", createNode());

    await()
        .untilAsserted(
            () -> {
              Answer answer = get(podsPath(namespace()) + "?resourceVersion=0");
              assertThat(answer.code()).isEqualTo(200);
              assertThat(names(answer)).containsExactly("web");
              assertThat(metadata(answer, "resourceVersion")).matches("[1-9][0-9]*");
            });
  }

  /** All pages show the same version; later changes are left to the watch. */
  @Test
  void pagesShowTheStateOfTheFirst() {
    Node node = createNode();
    List<String> all = List.of("a", "b", "c", "d", "e");
    all.forEach(name -> createPod(name, "web", node));
    String list = podsPath(namespace()) + "?limit=2";

    Answer first = get(list);
    createPod("late", "web", node);
    pods().withName("e").withGracePeriod(0).delete();
    Answer second = get(list + "&continue=" + metadata(first, "continue"));
    Answer third = get(list + "&continue=" + metadata(second, "continue"));

    List<String> seen = new ArrayList<>();
    List.of(first, second, third).forEach(page -> seen.addAll(names(page)));
    assertThat(seen).isEqualTo(all);
    assertThat(List.of(first, second, third))
        .extracting(page -> metadata(page, "resourceVersion"))
        .containsOnly(metadata(first, "resourceVersion"));
    assertThat(first.json().path("metadata").path("remainingItemCount").asInt()).isEqualTo(3);
    assertThat(metadata(third, "continue")).as("no more pages").isEmpty();
  }

  private static String metadata(Answer list, String field) {
    return list.json().path("metadata").path(field).asText();
  }

  private static List<String> names(Answer list) {
    return list.json()
        .path("items")
        .valueStream()
        .map((JsonNode item) -> item.path("metadata").path("name").asText())
        .toList();
  }
}
