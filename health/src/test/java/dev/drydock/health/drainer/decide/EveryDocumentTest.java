package dev.drydock.health.drainer.decide;

import static dev.drydock.health.drainer.decide.TestDocuments.GPU;
import static dev.drydock.health.drainer.decide.TestDocuments.NOW;
import static dev.drydock.health.drainer.decide.TestDocuments.OTHER_GPU;
import static dev.drydock.health.drainer.decide.TestDocuments.WHOLE;
import static dev.drydock.health.drainer.decide.TestDocuments.document;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.health.drainer.decide.DocumentDecider.Verdict;
import dev.drydock.health.drainer.decide.DrainDocument.Wish;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every event in every situation. */
class EveryDocumentTest {
  private static final List<String> WORDS =
      List.of("", "NotStarted", "Quarantined", "AlreadyQuarantined", "UnQuarantined", "Cancelled");
  private static final List<String> DRAINS =
      List.of("", "NotStarted", "InProgress", "Succeeded", "Failed", "Cancelled", "AlreadyDrained");
  private static final Set<String> ENDS =
      Set.of("Succeeded", "Failed", "Cancelled", "AlreadyDrained");
  private static final List<DrainScope> SCOPES = List.of(WHOLE, GPU, new DrainScope.Unusable());
  private static final List<List<DrainScope>> DRAINED =
      List.of(List.of(), List.of(WHOLE), List.of(GPU), List.of(OTHER_GPU));

  /** What is known about a node in quarantine {@code e1}, in none, or gone. */
  private static List<QuarantineFacts> facts() {
    List<QuarantineFacts> all = new ArrayList<>();
    for (boolean certain : List.of(true, false)) {
      for (Set<String> ended : List.of(Set.<String>of(), Set.of("e1"))) {
        for (var cutoff : List.of(Optional.of(NOW), Optional.of(NOW.plusSeconds(99)))) {
          all.add(new QuarantineFacts(true, true, "e1", ended, cutoff, certain));
          all.add(new QuarantineFacts(true, true, "", ended, cutoff, certain));
          all.add(new QuarantineFacts(true, false, "", ended, cutoff, certain));
          all.add(new QuarantineFacts(false, false, "", ended, cutoff, certain));
        }
      }
    }
    return all;
  }

  private record Case(DrainDocument document, QuarantineFacts facts, List<DrainScope> drained) {
    Verdict verdict() {
      return DocumentDecider.decide(document, facts, drained);
    }

    /** The table of the specification, row by row. */
    String expected() {
      if (ENDS.contains(document.drain())) {
        return "Ignore";
      }
      if (document.word().equals("Cancelled")) {
        return "Cancelled";
      }
      if (document.word().equals("UnQuarantined")) {
        return "Succeeded";
      }
      if (!document.word().endsWith("Quarantined")) {
        return "Ignore";
      }
      boolean over =
          document.episode().isEmpty()
              ? !document.created().isAfter(facts.cutoff().orElseThrow())
              : facts.ended().contains(document.episode());
      if (over) {
        return "Cancelled";
      }
      boolean foreign = document.episode().isEmpty();
      boolean stale =
          !facts.exists()
              || (!facts.quarantined()
                  && (!foreign || document.word().equals("AlreadyQuarantined")))
              || (!facts.episode().isEmpty()
                  && !foreign
                  && !facts.episode().equals(document.episode()));
      if (stale) {
        return facts.certain() ? "Cancelled" : "AskNode";
      }
      if (document.healthy() || document.wish() == Wish.SKIP) {
        return "AlreadyDrained";
      }
      if (document.scope() instanceof DrainScope.Unusable) {
        return "Failed";
      }
      boolean covered =
          drained.contains(WHOLE) || (document.scope().equals(GPU) && drained.contains(GPU));
      return covered ? "AlreadyDrained" : "Drain";
    }
  }

  private static List<Case> cases() {
    List<Case> all = new ArrayList<>();
    for (String word : WORDS) {
      for (String drain : DRAINS) {
        for (String episode : List.of("", "e1", "e2")) {
          for (boolean healthy : List.of(true, false)) {
            for (Wish wish : Wish.values()) {
              for (DrainScope scope : SCOPES) {
                DrainDocument document = document("e7", word, drain, episode, healthy, wish, scope);
                for (QuarantineFacts facts : facts()) {
                  DRAINED.forEach(drained -> all.add(new Case(document, facts, drained)));
                }
              }
            }
          }
        }
      }
    }
    return all;
  }

  private static String word(Verdict verdict) {
    return verdict instanceof Verdict.Conclude conclude
        ? conclude.status().word()
        : verdict.getClass().getSimpleName();
  }

  @Test
  void everyEventInEverySituationGetsTheVerdictOfTheTable() {
    List<Case> cases = cases();
    List<Case> wrong =
        cases.stream().filter(each -> !word(each.verdict()).equals(each.expected())).toList();

    assertThat(cases).hasSizeGreaterThan(100_000);
    assertThat(wrong).isEmpty();
  }

  /** Nothing is cancelled because a watch lags behind, and nothing that has ended begins anew. */
  @Test
  void whatTheNodeDecidesIsDecidedByTheNodeItself() {
    for (Case each : cases()) {
      Verdict verdict = each.verdict();
      if (verdict instanceof Verdict.AskNode) {
        QuarantineFacts facts = each.facts();
        Verdict certain =
            DocumentDecider.decide(
                each.document(),
                new QuarantineFacts(
                    facts.exists(),
                    facts.quarantined(),
                    facts.episode(),
                    facts.ended(),
                    facts.cutoff(),
                    true),
                each.drained());
        assertThat(word(certain)).isEqualTo("Cancelled");
      }
      if (each.document().isEnded()) {
        assertThat(verdict).isInstanceOf(Verdict.Ignore.class);
      }
    }
  }
}
