package dev.drydock.health.remediation.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.health.decide.Quarantine;
import dev.drydock.health.decide.StateLabel;
import dev.drydock.health.decide.TrackedFault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** A node with its documents and resources, on which decisions are carried out in memory. */
final class RemediationModel {
  static final String NODE = "node1";
  static final MaintenanceKind REBOOT =
      new MaintenanceKind("janitor.dgxc.nvidia.com", "v1alpha1", "RebootNode", "", "NodeReady");
  static final MaintenanceKind RESET =
      new MaintenanceKind("janitor.dgxc.nvidia.com", "v1alpha1", "GPUReset", "", "Complete");
  static final RemediationAction RESTART =
      new RemediationAction(REBOOT, "reboot.yaml", "restart", Optional.empty(), List.of());
  static final RemediationAction GPU_RESET =
      new RemediationAction(
          RESET, "reset.yaml", "reset", Optional.of("GPU_UUID"), List.of("restart"));

  Instant now = Instant.parse("2026-01-01T00:00:00Z");
  Optional<Quarantine> quarantine = Optional.empty();
  String label = "";
  RemediationJournal journal = RemediationJournal.EMPTY;
  final Map<String, RemediationDocument> documents = new LinkedHashMap<>();
  final Map<MaintenanceReference, ResourceProgress> resources = new LinkedHashMap<>();
  final Set<String> cancelled = new HashSet<>();
  final List<RemediationStep> steps = new ArrayList<>();
  final List<RemediationNote> notes = new ArrayList<>();
  final List<String> made = new ArrayList<>();
  Optional<String> stopped = Optional.empty();

  private final RemediationActions actions;
  private final RemediationDecider decider;
  private int events;

  RemediationModel(RemediationActions actions) {
    this.actions = actions;
    decider = new RemediationDecider(actions, UnaryOperator.identity());
  }

  static RemediationModel standard() {
    return limited(RemediationActions.DEFAULT_ATTEMPTS);
  }

  static RemediationModel limited(int attempts) {
    return new RemediationModel(
        new RemediationActions(
            Map.of("RESTART_VM", RESTART, "COMPONENT_RESET", GPU_RESET),
            Map.of(),
            Optional.empty(),
            attempts));
  }

  HealthEvent.Builder fault(RecommendedAction action) {
    events++;
    return HealthEvent.builder()
        .id("e" + events)
        .version(1)
        .agent("gpu-health-monitor")
        .componentClass("GPU")
        .checkName("Check" + action.name())
        .nodeName(NODE)
        .isFatal(true)
        .recommendedAction(action);
  }

  /** Stored, quarantined and drained, all at once. */
  String drained(HealthEvent.Builder builder) {
    HealthEvent event = builder.build();
    List<TrackedFault> faults = new ArrayList<>();
    quarantine.ifPresent(present -> faults.addAll(present.faults()));
    boolean known = faults.stream().anyMatch(each -> sameKeys(each.event(), event));
    if (!known) {
      faults.add(TrackedFault.of(event, now, List.of("rule")));
    }
    String episode = quarantine.map(Quarantine::episode).orElse(event.id());
    if (quarantine.isEmpty()) {
      label = "drain-succeeded";
    }
    quarantine =
        Optional.of(new Quarantine(episode, quarantine.map(Quarantine::since).orElse(now), faults));
    documents.put(event.id(), new RemediationDocument(event, now, episode, Optional.empty()));
    return event.id();
  }

  String drained(RecommendedAction action) {
    return drained(fault(action));
  }

  private static boolean sameKeys(HealthEvent one, HealthEvent other) {
    return one.componentClass().equals(other.componentClass())
        && one.checkName().equals(other.checkName())
        && one.entitiesImpacted().containsAll(other.entitiesImpacted())
        && one.errorCode().containsAll(other.errorCode());
  }

  /** A healthy event clears the failure of an event; the last one ends the quarantine. */
  void cleared(String id) {
    List<TrackedFault> left =
        quarantine.orElseThrow().faults().stream()
            .filter(fault -> !fault.event().id().equals(id))
            .toList();
    Quarantine before = quarantine.get();
    quarantine =
        left.isEmpty()
            ? Optional.empty()
            : Optional.of(new Quarantine(before.episode(), before.since(), left));
    label = left.isEmpty() ? "" : label;
  }

  void released(boolean byHand) {
    if (byHand) {
      cancelled.add(quarantine.orElseThrow().episode());
    }
    quarantine = Optional.empty();
    label = "";
  }

  void pass(Duration time) {
    now = now.plus(time);
  }

  RemediationFacts facts() {
    Map<MaintenanceReference, ResourceProgress> progress = new LinkedHashMap<>();
    for (RemediationAttempt attempt : journal.open()) {
      progress.put(
          attempt.resource(),
          resources.getOrDefault(attempt.resource(), new ResourceProgress.Absent()));
    }
    return new RemediationFacts(
        NODE,
        quarantine,
        label,
        journal,
        quarantine.isEmpty() ? List.of() : List.copyOf(documents.values()),
        progress,
        cancelled,
        stopped,
        now);
  }

  RemediationStep decide() {
    return decider.decide(facts());
  }

  /** Carries out one step. */
  void carryOut(RemediationStep step) {
    steps.add(step);
    switch (step) {
      case RemediationStep.Wait _ -> {}
      case RemediationStep.Write entry -> {
        journal = entry.journal();
        label = entry.label().map(StateLabel::word).orElse(label);
        notes.addAll(entry.notes());
      }
      case RemediationStep.Make make -> {
        assertThat(resources).doesNotContainKey(make.attempt().resource());
        assertThat(stopped).isEmpty();
        assertThat(quarantine.orElseThrow().episode()).isEqualTo(make.attempt().episode());
        resources.put(make.attempt().resource(), new ResourceProgress.Pending(now, true, false));
        made.add(make.attempt().resource().toString());
      }
      case RemediationStep.Withdraw(RemediationAttempt attempt) ->
          resources.remove(attempt.resource());
      case RemediationStep.Conclude(Map<String, Optional<RemediationStep.Refusal>> verdicts) ->
          verdicts.forEach(
              (id, refusal) ->
                  documents.computeIfPresent(
                      id,
                      (_, document) ->
                          new RemediationDocument(
                              document.event(),
                              document.created(),
                              document.episode(),
                              Optional.of(refusal.isEmpty()))));
    }
  }

  /** Until nothing is left to do now. */
  RemediationStep.Wait settle() {
    for (int i = 0; i < 50; i++) {
      RemediationStep step = decide();
      carryOut(step);
      checkInvariants();
      if (step instanceof RemediationStep.Wait wait) {
        return wait;
      }
    }
    throw new AssertionError(
        "it goes round in circles: " + steps.subList(steps.size() - 6, steps.size()));
  }

  private void checkInvariants() {
    Map<String, Integer> running = new LinkedHashMap<>();
    for (RemediationAttempt attempt : journal.open()) {
      running.merge(attempt.group(), 1, Integer::sum);
    }
    assertThat(running.values()).as("one at a time of each group").allMatch(count -> count == 1);
    if (actions.maxAttempts() > 0) {
      assertThat(journal.attempts())
          .as("never more than may be")
          .allMatch(attempt -> attempt.number() <= actions.maxAttempts());
    }
  }

  RemediationAttempt last() {
    return journal.attempts().getLast();
  }

  void end(AttemptEnd.Result result, Instant effect) {
    end(new AttemptEnd(now, effect, result, "why"));
  }

  void end(AttemptEnd end) {
    resources.put(last().resource(), new ResourceProgress.Ended(end));
  }

  void pending(boolean served, boolean idle) {
    resources.computeIfPresent(
        last().resource(), (_, _) -> new ResourceProgress.Pending(last().at(), served, idle));
  }

  Optional<Boolean> remediated(String id) {
    return document(id).remediated();
  }

  RemediationDocument document(String id) {
    return Objects.requireNonNull(documents.get(id), id);
  }

  List<RemediationNote.Kind> told() {
    return notes.stream().map(RemediationNote::kind).toList();
  }
}
