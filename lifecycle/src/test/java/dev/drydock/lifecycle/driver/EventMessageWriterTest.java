package dev.drydock.lifecycle.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.lifecycle.LifecycleEvent;
import dev.drydock.contracts.lifecycle.LifecycleEventSpec;
import dev.drydock.kube.Kube;
import dev.drydock.lifecycle.api.LifecycleEventObject;
import dev.drydock.lifecycle.api.LifecycleEventWriter;
import dev.drydock.lifecycle.api.LifecycleNodeCaches;
import dev.drydock.lifecycle.api.NodeTransitionReporter;
import dev.drydock.testkit.LoopBug;
import dev.drydock.testkit.TestCluster;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EventMessageWriterTest {
  private final TestCluster cluster = TestCluster.simulated();
  private final LoopBug bug = new LoopBug().atWritesTo("/lifecycleevents/bad");
  private final Kube kube = cluster.process(bug).kube();
  private LifecycleNodeCaches caches;

  @BeforeEach
  void events() {
    cluster.define(CrdCatalog.yaml());
    String node = cluster.addNode("n");
    caches = new LifecycleNodeCaches(kube, node);
    caches.start();
    for (String name : new String[] {"bad", "good"}) {
      LifecycleEvent event = new LifecycleEvent();
      event.setMetadata(new ObjectMetaBuilder().withName(name).build());
      event.setSpec(new LifecycleEventSpec("t", node));
      var _ = cluster.client().resource(event).create();
    }
    cluster.eventually().until(() -> seen("bad").isPresent() && seen("good").isPresent());
  }

  @AfterEach
  void close() {
    caches.close();
    cluster.close();
  }

  private Optional<LifecycleEventObject> seen(String name) {
    return caches.events().stream()
        .filter(event -> event.facts().ref().name().equals(name))
        .findFirst();
  }

  private EventMessageWriter writer(String name) {
    return new EventMessageWriter(
        kube,
        name,
        () -> seen(name),
        new LifecycleEventWriter(kube.http()),
        new NodeTransitionReporter(kube));
  }

  private String message(String name) {
    return seen(name).orElseThrow().facts().message();
  }

  @Test
  void aBugAboutOneEventHoldsUpNoOther() {
    try (EventMessageWriter bad = writer("bad");
        EventMessageWriter good = writer("good")) {
      bad.say("waits for a pod");
      good.say("waits for a budget");

      bug.staysIn(
          "event-messages",
          kube,
          cluster.eventually(),
          () -> {
            assertThat(message("good")).isEqualTo("waits for a budget");
            assertThat(message("bad")).isEmpty();
          },
          () -> assertThat(message("bad")).isEqualTo("waits for a pod"));
    }
  }
}
