package dev.drydock.drain.hold;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.hold.decide.DrainState;
import dev.drydock.kube.Conditions;
import dev.drydock.kube.Conditions.Condition;
import dev.drydock.kube.Kube;
import dev.drydock.kube.NodeConditions;
import dev.drydock.serve.feature.HoldOwner;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Writes the Node's conditions {@code DrainInProgress} and {@code Drained}, only on change, and
 * never over another writer's True. Best effort: no decision depends on them.
 */
public final class DrainConditions {
  private static final String IN_PROGRESS = "DrainInProgress";
  private static final String DRAINED = "Drained";

  /** Between what happened, which does not contain it, and on whose behalf. */
  private static final String SEPARATOR = "; ";

  private static final String HELD_BY = "held by ";

  private final NodeConditions conditions;

  public DrainConditions(Kube kube) {
    conditions = new NodeConditions(kube);
  }

  /** The conditions about drains only, because a process may keep all nodes of a cluster. */
  static Conditions only(Conditions all) {
    return new Conditions(
        Stream.of(IN_PROGRESS, DRAINED).flatMap(type -> all.get(type).stream()).toList());
  }

  /**
   * What the engine wrote about a drain that runs, or whose node is still out of service. On a node
   * in service it is about an earlier time: what failed or was cancelled is not written anew when
   * the node is released.
   */
  public static Optional<JsonNode> current(DrainNodeObject node) {
    if (!node.facts().unschedulable()) {
      return Optional.empty();
    }
    return Stream.of(IN_PROGRESS, DRAINED)
        .flatMap(type -> node.conditions().get(type).stream())
        .filter(each -> DrainState.isReason(text(each, "reason")))
        .filter(each -> !text(each, "reason").equals(DrainState.DrydockReleased.name()))
        .findFirst();
  }

  /** On whose behalf a drain is, as {@link #write} takes it. */
  public static String whose(String holder, String reason) {
    return HELD_BY + holder + (reason.isEmpty() ? "" : ": " + reason);
  }

  /**
   * Whether the drain was on behalf of such an object; its reason, a person's text, is not read.
   */
  public static boolean isOf(JsonNode condition, HoldOwner owner) {
    String message = text(condition, "message");
    int whose = message.indexOf(SEPARATOR);
    return whose >= 0 && message.startsWith(HELD_BY + owner.prefix(), whose + SEPARATOR.length());
  }

  /** Nothing is left to say about a node that never was drained. */
  public void released(DrainNodeObject node) {
    if (node.conditions().isTrue(DRAINED) || node.conditions().isTrue(IN_PROGRESS)) {
      var _ = write(node, DrainState.DrydockReleased, "");
    }
  }

  /**
   * The node as it is then, or as it was if nothing was written.
   *
   * @param whose on whose behalf, for people; may be empty
   */
  public DrainNodeObject write(DrainNodeObject node, DrainState state, String whose) {
    String message = whose.isEmpty() ? state.message() : state.message() + SEPARATOR + whose;
    List<Condition> changes =
        Stream.of(
                Condition.of(IN_PROGRESS, state.inProgress(), state.name(), message),
                Condition.of(DRAINED, state.drained(), state.name(), message))
            .filter(
                wanted ->
                    node.conditions()
                        .get(wanted.type())
                        .filter(before -> isSaid(before, wanted) || isOfAnother(before))
                        .isEmpty())
            .toList();
    return changes.isEmpty()
        ? node
        : conditions
            .tryWrite(node.object(), node.conditions(), changes)
            .map(DrainNodeObject::read)
            .orElse(node);
  }

  private static boolean isSaid(JsonNode before, Condition wanted) {
    return text(before, "status").equals(wanted.status())
        && text(before, "reason").equals(wanted.reason());
  }

  private static boolean isOfAnother(JsonNode before) {
    return text(before, "status").equals(Conditions.TRUE)
        && !DrainState.isOurs(text(before, "reason"));
  }
}
