package dev.drydock.health.drainer.decide;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A drain that some events of a node want, however many they are.
 *
 * @param owner the event that stands for all: the oldest of its scope
 * @param others whose drain this is, too
 * @param forced whether pods go at once whatever the configuration says
 */
public record DrainGoal(
    DrainScope scope, DrainDocument owner, List<DrainDocument> others, boolean forced) {
  public DrainGoal {
    others = List.copyOf(others);
  }

  /** Times of the configuration count from here. */
  public Instant since() {
    return owner.created();
  }

  public String episode() {
    return owner.episode().isEmpty() ? owner.id() : owner.episode();
  }

  /** Whether one drain does for both: what changes is only who waits for it. */
  public boolean isSameDrain(DrainGoal other) {
    return scope.equals(other.scope)
        && owner.id().equals(other.owner.id())
        && forced == other.forced;
  }

  public List<DrainDocument> documents() {
    List<DrainDocument> all = new ArrayList<>(List.of(owner));
    all.addAll(others);
    return all;
  }

  /** One drain for each scope; one of the whole node does for all. */
  public static List<DrainGoal> of(Collection<DrainDocument> wanted) {
    Map<DrainScope, List<DrainDocument>> byScope = new LinkedHashMap<>();
    DrainScope whole = new DrainScope.WholeNode();
    List<DrainDocument> byAge = wanted.stream().sorted(DrainDocument.AGE).toList();
    boolean all = byAge.stream().anyMatch(document -> document.scope().equals(whole));
    for (DrainDocument document : byAge) {
      byScope.computeIfAbsent(all ? whole : document.scope(), _ -> new ArrayList<>()).add(document);
    }
    List<DrainGoal> goals = new ArrayList<>();
    byScope.forEach((scope, documents) -> goals.add(goal(scope, documents)));
    return goals;
  }

  private static DrainGoal goal(DrainScope scope, List<DrainDocument> documents) {
    DrainDocument owner =
        documents.stream()
            .filter(document -> document.scope().equals(scope))
            .findFirst()
            .orElseThrow();
    return new DrainGoal(
        scope,
        owner,
        documents.stream().filter(document -> !document.equals(owner)).toList(),
        documents.stream().anyMatch(each -> each.wish() == DrainDocument.Wish.FORCE));
  }
}
