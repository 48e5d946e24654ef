package dev.drydock.sim.kubelet;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import java.time.Instant;
import java.util.UUID;

/** How somebody who set a knob wrong is told so. */
final class KnobWarnings {
  private KnobWarnings() {}

  /** Named after what it says, so that the same one is written once only. */
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

  /** Events of nodes carry the name in place of the UID: that is how kubectl finds them. */
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
