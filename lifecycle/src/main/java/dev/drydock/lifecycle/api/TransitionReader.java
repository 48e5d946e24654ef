package dev.drydock.lifecycle.api;

import static dev.drydock.kube.Fields.list;
import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.GoDuration;
import dev.drydock.contracts.lifecycle.LifecycleTransitionSpec.Requirement;
import dev.drydock.contracts.lifecycle.LifecycleTransitionSpec.Term;
import dev.drydock.kube.KeptSize;
import dev.drydock.lifecycle.decide.LifecycleRef;
import dev.drydock.lifecycle.decide.NodeCoverage;
import dev.drydock.lifecycle.decide.TransitionFacts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads LifecycleTransitions. */
final class TransitionReader {
  private TransitionReader() {}

  static TransitionFacts read(String group, JsonNode transition) {
    JsonNode spec = transition.path("spec");
    KeptSize.check(spec);
    return new TransitionFacts(
        new LifecycleRef(group, text(transition.path("metadata"), "name")),
        text(transition.path("metadata"), "uid"),
        transition.path("metadata").hasNonNull("deletionTimestamp"),
        text(spec, "start"),
        text(spec, "end"),
        coverage(spec),
        sla(text(spec, "sla")),
        text(spec, "driver"));
  }

  private static NodeCoverage coverage(JsonNode spec) {
    if (spec.path("allNodes").asBoolean(false)) {
      return new NodeCoverage.AllNodes();
    }
    if (spec.hasNonNull("nodeName")) {
      return new NodeCoverage.OneNode(text(spec, "nodeName"));
    }
    JsonNode terms = spec.path("nodeSelector").path("nodeSelectorTerms");
    if (terms.size() != 1) {
      return new NodeCoverage.Nothing();
    }
    return NodeCoverage.of(
        new Term(
            requirements(terms.get(0).path("matchExpressions")),
            requirements(terms.get(0).path("matchFields"))));
  }

  private static List<Requirement> requirements(JsonNode given) {
    List<Requirement> all = new ArrayList<>();
    for (JsonNode each : given) {
      all.add(
          new Requirement(text(each, "key"), text(each, "operator"), list(each.path("values"))));
    }
    return all;
  }

  /** An unreadable value counts as absent, so it sets no limit. */
  private static Optional<Duration> sla(String text) {
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(GoDuration.parse(text));
    } catch (IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }
}
