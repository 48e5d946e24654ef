package dev.drydock.serve.command;

import static dev.drydock.kube.Fields.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.cli.CommandFailure;
import dev.drydock.kube.Resource;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In virtual time. */
class ObjectFollowerTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration MOMENT = Duration.ofMillis(200);

  private final TestCluster cluster = TestCluster.simulated();
  private final TestProcess process = cluster.process();
  private final Set<String> said = new LinkedHashSet<>();

  @AfterEach
  void close() {
    process.close();
    cluster.close();
  }

  /** Follows ConfigMaps whose data say how far they are. */
  private ObjectFollower<String> follower(String... names) {
    ObjectFollower<String> follower =
        new ObjectFollower<>(
            process.kube(),
            Resource.CONFIG_MAPS.in("default"),
            new LinkedHashSet<>(List.of(names)),
            object -> text(object.path("data"), "state"));
    return follower.start();
  }

  private CompletableFuture<Set<String>> begin(ObjectFollower<String> follower, Duration timeout) {
    return follower.begin(
        new ObjectFollower.Listener<>() {
          @Override
          public boolean look(String name, @Nullable String last, boolean exists) {
            if ("broken".equals(last)) {
              throw new CommandFailure(name + " is broken");
            }
            said.add(name + " " + last + (exists ? "" : ", does not exist"));
            return "done".equals(last) || (last != null && !exists);
          }

          @Override
          public void late(Set<String> pending) {
            said.add("late: " + pending);
          }
        },
        TIMEOUT,
        timeout);
  }

  private void write(String name, String state) {
    ConfigMap object =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace("default")
            .endMetadata()
            .addToData("state", state)
            .build();
    if (cluster.client().resource(object).get() == null) {
      cluster.client().resource(object).create();
    } else {
      cluster.client().resource(object).update();
    }
    cluster.pass(MOMENT);
  }

  @Test
  void eachIsFollowedToItsEndOrItsDeletion() {
    CompletableFuture<Set<String>> ended = begin(follower("a", "b"), Duration.ZERO);
    cluster.pass(MOMENT);

    write("a", "begun");
    write("b", "begun");
    write("other", "begun");
    write("a", "done");
    assertThat(ended).isNotDone();
    cluster.client().configMaps().inNamespace("default").withName("b").delete();
    cluster.pass(MOMENT);

    assertThat(ended).isCompletedWithValue(Set.of());
    assertThat(said)
        .containsExactly(
            "a null, does not exist",
            "b null, does not exist",
            "a begun",
            "b begun",
            "a done",
            "b begun, does not exist");
  }

  @Test
  void aLateOneIsToldOnceAndLeftAtTheTimeout() {
    CompletableFuture<Set<String>> ended = begin(follower("a"), Duration.ofMinutes(1));
    write("a", "begun");

    cluster.pass(TIMEOUT);
    assertThat(said).contains("late: [a]");
    assertThat(ended).isNotDone();
    cluster.pass(Duration.ofMinutes(1));

    assertThat(ended).isCompletedWithValue(Set.of("a"));
  }

  @Test
  void aFailureOfTheListenerIsTheEnd() {
    CompletableFuture<Set<String>> ended = begin(follower("a"), Duration.ZERO);

    write("a", "broken");

    assertThatThrownBy(ended::join)
        .hasCauseInstanceOf(CommandFailure.class)
        .hasMessageContaining("a is broken");
  }
}
