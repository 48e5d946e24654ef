package dev.drydock.edge.longhorn;

import dev.drydock.serve.feature.SettingKind;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What Longhorn does about the replicas of a node that is drained. */
public enum NodeDrainPolicy {
  BLOCK_FOR_EVICTION_IF_CONTAINS_LAST_REPLICA,
  BLOCK_FOR_EVICTION,
  ALLOW_IF_REPLICA_IS_STOPPED,
  ALWAYS_ALLOW;

  /** The value of Longhorn's setting. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Absent if Longhorn's setting is left alone. */
  public static final SettingKind<Optional<NodeDrainPolicy>> KIND =
      SettingKind.text(
          "POLICY",
          (text, problems) -> {
            List<NodeDrainPolicy> all = List.of(values());
            Optional<NodeDrainPolicy> found =
                all.stream().filter(each -> each.word().equals(text)).findFirst();
            if (found.isEmpty() && !text.isEmpty()) {
              problems.wanted(
                  text,
                  String.join(" or ", Arrays.stream(values()).map(NodeDrainPolicy::word).toList()));
            }
            return found;
          });
}
