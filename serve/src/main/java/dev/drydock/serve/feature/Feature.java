package dev.drydock.serve.feature;

import io.fabric8.kubernetes.client.CustomResource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that a feature adds to the program. Its module lists the class in {@code
 * META-INF/services/dev.drydock.serve.feature.Feature}; no other code refers to it. Methods that a
 * feature does not override mean that it has no such part.
 */
public interface Feature {
  /** Its name in {@code --parts}. */
  String part();

  /** What its controllers in the operator do, in one line of the help. */
  String summary();

  /** Its name in {@code drydock agent --parts}, if another one. */
  default String agentPart() {
    return part();
  }

  /**
   * Whether it runs only where {@code --parts} names it: because it needs what not every
   * installation has, such as a volume, or does what nobody expects who has not asked for it.
   */
  default boolean onlyIfNamed() {
    return false;
  }

  /** Names that stand for several parts in {@code --parts}, among them this one. */
  default List<String> groups() {
    return List.of();
  }

  /** The parts that it stands on; they run wherever it does. */
  default List<String> needs() {
    return List.of();
  }

  /** Its kinds. The CRD of each is {@code /crds/PLURAL.GROUP-v1.yaml} on the class path. */
  default List<Class<? extends CustomResource<?, ?>>> kinds() {
    return List.of();
  }

  /**
   * Fields that it writes and that the CRD of one of its kinds may lack because another program
   * installed it, such as {@code status.waitingFor}. An operator does not start without them: what
   * it writes there would vanish.
   */
  default Map<Class<? extends CustomResource<?, ?>>, List<String>> neededFields() {
    return Map.of();
  }

  /** Its keys in the operator's file, which are also flags and variables. */
  default List<Setting<?>> settings() {
    return List.of();
  }

  /**
   * The kinds that own holds. A part that {@link #releasesHolds} releases holds whose owner no
   * longer exists.
   */
  default List<HoldOwner> holdOwners() {
    return List.of();
  }

  /** Whether its controllers release the holds of all features that expire or lose their owner. */
  default boolean releasesHolds() {
    return false;
  }

  /** Its controllers, created once per operator process. */
  default OperatorPart operator(OperatorContext context) {
    return new OperatorPart() {};
  }

  /** Its role in an agent process, on a node. */
  default Optional<AgentRole> agent() {
    return Optional.empty();
  }

  /** Entries for {@code drydock status}. */
  default List<StatusPart> status() {
    return List.of();
  }

  /** Entries for {@code drydock history}. */
  default List<HistoryPart> history(HistoryReader reader) {
    return List.of();
  }

  /** The order of its history reasons within one second. */
  default Map<String, HistoryPhase> historyPhases() {
    return Map.of();
  }
}
