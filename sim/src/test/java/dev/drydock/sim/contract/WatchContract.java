package dev.drydock.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Watcher.Action;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a watch reports, and what it does not. */
public abstract class WatchContract extends ApiContract {

  @Test
  void aWatchGoesOnFromAnyVersionSeen() {
    Node node = createNode();
    Pod before = createPod("before", "web", node);
    createPod("after", "web", node);

    try (var watch = RecordedWatch.of(pods(), from(before).build())) {
      await().untilAsserted(() -> assertThat(watch.names(Action.ADDED)).containsExactly("after"));
    }
  }

  @Test
  void thePodsOfANodeAreWatchedByField() {
    Node node = createNode();
    Pod early = createPod("early", "web", null);

    try (var watch = RecordedWatch.of(pods(), from(early).withFieldSelector(on(node)).build())) {
      createPod("there", "web", createNode());
      bind(early, node);
      createPod("here", "web", node);

      await()
          .untilAsserted(
              () ->
                  assertThat(watch.names(Action.ADDED))
                      .as("with the pod that came to the node later")
                      .containsExactly("early", "here"));
    }
  }

  @Test
  void aPodThatGoesIsSeenTerminatingAndThenGone() {
    Pod pod = runPod("web", "web", createNode());

    try (var watch = RecordedWatch.of(pods(), from(pod).build())) {
      delete(pod, Map.of());
      await().untilAsserted(() -> assertThat(watch.names(Action.MODIFIED)).containsExactly("web"));
      assertThat(watch.objects(Action.MODIFIED).getFirst().getMetadata().getDeletionTimestamp())
          .isNotNull();

      delete(pod, Map.of("gracePeriodSeconds", 0));
      await().untilAsserted(() -> assertThat(watch.names(Action.DELETED)).containsExactly("web"));
      assertThat(Long.parseLong(version(watch.objects(Action.DELETED).getFirst())))
          .as("the version of the deletion, to go on from")
          .isGreaterThan(Long.parseLong(version(watch.objects(Action.MODIFIED).getLast())));
    }
  }

  /** Bookmarks keep the version of a quiet watch from expiring while others are busy. */
  @Test
  void aBookmarkMovesAQuietWatchOnWhenAskedFor() {
    Node node = createNode();
    Pod last = createPod("here", "web", node);
    Pod newer = createPod("there", "web", createNode());
    // the server sends one about two seconds before it ends the watch
    ListOptions options =
        from(last)
            .withFieldSelector(on(node))
            .withAllowWatchBookmarks(true)
            .withTimeoutSeconds(3L)
            .build();

    try (var watch = RecordedWatch.of(pods(), options)) {
      await().untilAsserted(() -> assertThat(watch.objects(Action.BOOKMARK)).isNotEmpty());

      Pod bookmark = watch.objects(Action.BOOKMARK).getFirst();
      assertThat(bookmark.getMetadata().getName()).isNull();
      assertThat(Long.parseLong(version(bookmark)))
          .isGreaterThanOrEqualTo(Long.parseLong(version(newer)));
    }
  }

  @Test
  void aWatchCanBeginWithTheStateAndSaysWhenThatIsAll() {
    Node node = createNode();
    createPod("one", "web", node);
    createPod("two", "web", node);
    ListOptions options =
        new ListOptionsBuilder()
            .withSendInitialEvents(true)
            .withResourceVersionMatch("NotOlderThan")
            .withAllowWatchBookmarks(true)
            .build();

    try (var watch = RecordedWatch.of(pods(), options)) {
      await().untilAsserted(() -> assertThat(watch.objects(Action.BOOKMARK)).isNotEmpty());

      assertThat(watch.events())
          .extracting(RecordedWatch.Event::action)
          .containsExactly(Action.ADDED, Action.ADDED, Action.BOOKMARK);
      assertThat(watch.names(Action.ADDED)).containsExactlyInAnyOrder("one", "two");
      assertThat(watch.objects(Action.BOOKMARK).getFirst().getMetadata().getAnnotations())
          .containsEntry("k8s.io/initial-events-end", "true");
    }
  }

  private static ListOptionsBuilder from(Pod pod) {
    return new ListOptionsBuilder().withResourceVersion(version(pod));
  }

  private static String version(Pod pod) {
    return pod.getMetadata().getResourceVersion();
  }

  private static String on(Node node) {
    return "spec.nodeName=" + node.getMetadata().getName();
  }

  private void bind(Pod pod, Node node) {
    Answer answer =
        post(
            path(pod) + "/binding",
            new BindingBuilder()
                .withNewMetadata()
                .withName(pod.getMetadata().getName())
                .endMetadata()
                .withNewTarget()
                .withKind("Node")
                .withName(node.getMetadata().getName())
                .endTarget()
                .build());
    assertThat(answer.code()).isEqualTo(201);
  }
}
