package dev.drydock.serve.feature;

import io.fabric8.kubernetes.client.CustomResource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that a feature adds to the program. Its module lists the class in {@code
 * META-INF/services/dev.drydock.serve.feature.Feature}; nothing else has to know of it. Whatever a
 * feature does not offer it leaves as it is here.
 */
public interface Feature {
  /** How {@code --parts} calls it. */
  String part();

  /** Its kinds. Each has its definition as {@code /crds/PLURAL.GROUP-v1.yaml} on the class path. */
  default List<Class<? extends CustomResource<?, ?>>> kinds() {
    return List.of();
  }

  /** Its keys in the operator's file, which are also flags and variables. */
  default List<Setting<?>> settings() {
    return List.of();
  }

  /** Its objects that hold nodes: a hold whose owner is gone is released. */
  default List<HoldOwner> holdOwners() {
    return List.of();
  }

  /** Its controllers, made once per operator process. */
  default OperatorPart operator(OperatorContext context) {
    return new OperatorPart() {};
  }

  /** What it does on a node, in an agent process. */
  default Optional<AgentRole> agent() {
    return Optional.empty();
  }

  /** What its objects say about nodes, for {@code drydock status}. */
  default List<StatusPart> status() {
    return List.of();
  }

  /** What it knows of a node's past, for {@code drydock history}. */
  default List<NodeStory> history(HistoryReader reader) {
    return List.of();
  }

  /** Where the words of its history stand among those of the same second. */
  default Map<String, HistoryPhase> historyPhases() {
    return Map.of();
  }
}
