package dev.drydock.health.drainer.decide;

import dev.drydock.health.drainer.decide.DrainDocument.Wish;
import java.time.Instant;
import java.util.List;

/** Documents for tests. */
public final class TestDocuments {
  public static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");
  public static final DrainScope WHOLE = new DrainScope.WholeNode();
  public static final DrainScope GPU = new DrainScope.Device("GPU_UUID", "GPU-1");
  public static final DrainScope OTHER_GPU = new DrainScope.Device("GPU_UUID", "GPU-2");

  private TestDocuments() {}

  public static DrainDocument document(String id, String word, String episode) {
    return document(id, word, "", episode, false, Wish.NONE, WHOLE);
  }

  public static DrainDocument document(
      String id,
      String word,
      String drain,
      String episode,
      boolean healthy,
      Wish wish,
      DrainScope scope) {
    Instant created = NOW.plusSeconds(Integer.parseInt(id.replaceAll("\\D", "")));
    return new DrainDocument(
        id, created, created, word, drain, "", episode, "GpuXidError", healthy, wish, scope);
  }

  public static DrainDocument scoped(String id, DrainScope scope) {
    return document(id, "Quarantined", "", "e1", false, Wish.NONE, scope);
  }

  public static DrainGoal goal(DrainScope scope, boolean forced) {
    DrainDocument owner =
        document("e0", "Quarantined", "", "e0", false, forced ? Wish.FORCE : Wish.NONE, scope);
    return DrainGoal.of(List.of(owner)).getFirst();
  }
}
