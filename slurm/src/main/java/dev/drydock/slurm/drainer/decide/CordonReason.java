package dev.drydock.slurm.drainer.decide;

import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.contracts.nvsentinel.SlurmNames;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Why Slurm is to give a node no more jobs: the value of the Node's annotation. */
final class CordonReason {
  private static final int ENTITIES_SHOWN = 3;

  /** The annotations of a Node have little room, and whoever drains writes what he likes. */
  private static final int LONGEST = 1000;

  private CordonReason() {}

  /** Error codes, the components, and the reason in words, as far as the request has them. */
  static String of(DrainRequestSpec spec) {
    String codes = String.join(",", Objects.requireNonNullElse(spec.errorCode(), List.of()));
    String reason =
        Stream.of(
                SlurmNames.CORDON_PREFIX,
                codes,
                entities(Objects.requireNonNullElse(spec.entitiesImpacted(), List.of())),
                "- " + words(spec))
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining(" "));
    return reason.length() <= LONGEST ? reason : reason.substring(0, LONGEST) + "...";
  }

  private static String entities(List<DrainRequestSpec.Entity> all) {
    String shown =
        all.stream()
            .limit(ENTITIES_SHOWN)
            .map(each -> text(each.type()) + ":" + text(each.value()))
            .collect(Collectors.joining(","));
    int more = all.size() - ENTITIES_SHOWN;
    return more > 0 ? "%s,+%d more".formatted(shown, more) : shown;
  }

  private static String words(DrainRequestSpec spec) {
    return Stream.of(text(spec.reason()), text(spec.checkName()))
        .filter(each -> !each.isEmpty())
        .findFirst()
        .orElse("Health check failed");
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }
}
