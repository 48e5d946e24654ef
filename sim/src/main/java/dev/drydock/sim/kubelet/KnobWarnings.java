package dev.drydock.sim.kubelet;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import java.time.Instant;
import java.util.UUID;

/** Reports malformed knobs by Events. */
final class KnobWarnings {
  private KnobWarnings() {}

  /** Named by its content, so that each Event is written only once. */
  static Event event(ObjectReference about, String problem, Instant now) {
    String namespace = about.getNamespace() == null ? "default" : about.getNamespace();
    String id = UUID.nameUUIDFromBytes((about.getUid() + problem).getBytes(UTF_8)).toString();
    return new EventBuilder()
        .withNewMetadata()
        .withName("simulated-kubelet-" + id)
        .withNamespace(namespace)
        .endMetadata()
        .withInvolvedObject(about)
        .withType("Warning")
        .withReason("BadSimulationKnob")
        .withMessage(problem)
        .withNewSource("simulated-kubelet", null)
        .withFirstTimestamp(Stamps.seconds(now))
        .withLastTimestamp(Stamps.seconds(now))
        .withCount(1)
        .build();
  }

  /** Events about nodes have the name as UID: kubectl finds them by that. */
  static ObjectReference aboutNode(String name) {
    return new ObjectReferenceBuilder()
        .withApiVersion("v1")
        .withKind("Node")
        .withName(name)
        .withUid(name)
        .build();
  }

  static ObjectReference aboutPod(PodView.Identity pod) {
    return new ObjectReferenceBuilder()
        .withApiVersion("v1")
        .withKind("Pod")
        .withNamespace(pod.namespace())
        .withName(pod.name())
        .withUid(pod.uid())
        .build();
  }
}
