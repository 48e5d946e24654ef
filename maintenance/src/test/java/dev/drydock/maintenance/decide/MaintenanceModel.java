package dev.drydock.maintenance.decide;

import static dev.drydock.maintenance.decide.TestMaintenances.ID;
import static dev.drydock.maintenance.decide.TestMaintenances.NOW;
import static dev.drydock.maintenance.decide.TestMaintenances.RULES;

import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One maintenance, its node and the outbox, as values: what anybody may do to them, and what a step
 * writes, one write after another.
 *
 * @param maintenance empty once it is gone
 * @param late whether the deadline has passed
 */
record MaintenanceModel(
    Optional<MaintenanceFacts> maintenance,
    Optional<MaintainedNode> node,
    Set<NoticeEvent> outbox,
    boolean late) {
  static final String FOREIGN = "team";

  /** Just created, by somebody with kubectl. */
  static MaintenanceModel fresh() {
    MaintenanceFacts created =
        new MaintenanceFacts(
            TestMaintenances.identity("m"),
            TestMaintenances.spec(ID),
            false,
            false,
            false,
            Map.of(),
            MaintenanceState.NONE,
            Optional.empty(),
            Map.of());
    return new MaintenanceModel(
        Optional.of(created),
        Optional.of(new MaintainedNode("n1", false, Set.of(FOREIGN))),
        Set.of(),
        false);
  }

  /**
   * Without notices, which only pile up, and without remarks, which move nothing: with them there
   * would be many times as many worlds.
   */
  MaintenanceModel bare() {
    Optional<MaintenanceFacts> unremarked =
        maintenance.map(
            facts -> {
              Map<String, String> conditions = new HashMap<>(facts.conditions());
              conditions
                  .keySet()
                  .removeAll(
                      Set.of(
                          AdvisoryConditions.NODE_FOUND,
                          AdvisoryConditions.NODE_LABELLED,
                          AdvisoryConditions.ANNOTATION_REFUSED));
              return TestMaintenances.conditioned(facts, conditions);
            });
    return new MaintenanceModel(unremarked, node, Set.of(), late);
  }

  MaintenanceStep decide() {
    return MaintenanceDecider.decide(
        new MaintenanceInput(maintenance.orElseThrow(), node, List.of(), RULES, time()));
  }

  private Instant time() {
    return late ? NOW.plus(TestMaintenances.SLA).plusSeconds(1) : NOW;
  }

  /** Everything that schedulers, clients, admins and time can do. */
  List<MaintenanceModel> afterAnything() {
    List<MaintenanceModel> worlds = new ArrayList<>();
    if (!late) {
      worlds.add(new MaintenanceModel(maintenance, node, outbox, true));
    }
    node.ifPresentOrElse(
        there -> {
          worlds.add(with(new MaintainedNode("n1", !there.unschedulable(), there.labels())));
          worlds.add(with(relabelled(there)));
          worlds.add(new MaintenanceModel(maintenance, Optional.empty(), outbox, late));
        },
        () -> worlds.add(with(new MaintainedNode("n1", false, Set.of(FOREIGN)))));
    maintenance.ifPresent(
        there -> {
          if (!there.deleted()) {
            worlds.add(with(TestMaintenances.deleted(there)).collected());
          }
          worlds.add(with(unfinalized(there)).collected());
          for (ClientAnnotation each : ClientAnnotation.values()) {
            worlds.add(with(annotated(there, each.annotation(), Optional.empty())));
            each.allowed()
                .forEach(
                    value ->
                        worlds.add(with(annotated(there, each.annotation(), Optional.of(value)))));
          }
        });
    return worlds;
  }

  /** Somebody replaced it by a manifest of their own. */
  private static MaintenanceFacts unfinalized(MaintenanceFacts of) {
    return new MaintenanceFacts(
        of.identity(),
        of.spec(),
        of.deleted(),
        false,
        of.labelled(),
        of.annotations(),
        of.state(),
        of.slaExpires(),
        of.conditions());
  }

  private static MaintainedNode relabelled(MaintainedNode node) {
    Set<String> labels = new HashSet<>(node.labels());
    String label = MaintenanceNames.label(ID);
    if (!labels.remove(label)) {
      labels.add(label);
    }
    return new MaintainedNode(node.name(), node.unschedulable(), labels);
  }

  private static MaintenanceFacts annotated(
      MaintenanceFacts of, String name, Optional<String> value) {
    Map<String, String> annotations = new HashMap<>(of.annotations());
    annotations.remove(name);
    value.ifPresent(text -> annotations.put(name, text));
    return TestMaintenances.annotated(of, annotations);
  }

  /** The worlds after each write of a step, in order: a crash may leave any but the last. */
  List<MaintenanceModel> writes(MaintenanceStep step) {
    MaintenanceFacts of = maintenance.orElseThrow();
    return switch (step) {
      case MaintenanceStep.Wait _ -> List.of();
      case MaintenanceStep.Adopt() -> List.of(with(adopted(of, true)));
      case MaintenanceStep.Restore() -> {
        MaintenanceModel told = told(NoticeEvent.FINALIZER_RESTORED);
        yield List.of(told, told.with(adopted(of, true)));
      }
      case MaintenanceStep.Settle() -> List.of(with(completed(of)));
      case MaintenanceStep.Move move -> {
        MaintenanceModel told = told(move.notice());
        yield List.of(told, told.with(moved(of, move)));
      }
      case MaintenanceStep.WriteConditions(
              List<MaintenanceStep.ConditionChange> conditions,
              String _) ->
          List.of(with(TestMaintenances.conditioned(of, changed(of, conditions))));
      case MaintenanceStep.Terminate(NoticeEvent notice) -> {
        MaintenanceModel told = told(notice);
        yield List.of(told, told.with(annotated(of, MaintenanceNames.TERMINATED, Optional.of(""))));
      }
      case MaintenanceStep.Recordon() ->
          List.of(with(new MaintainedNode("n1", true, node.orElseThrow().labels())));
      case MaintenanceStep.Complete complete -> {
        MaintenanceFacts last = of.deleted() ? of : completed(of);
        MaintenanceModel said = with(last);
        MaintenanceModel unlabelled = said.without(complete.nodeLabels());
        MaintenanceModel told = unlabelled.told(NoticeEvent.MAINTENANCE_COMPLETE);
        yield List.of(said, unlabelled, told, told.with(adopted(last, false)).collected());
      }
      case MaintenanceStep.Forget(Set<String> labels) -> {
        MaintenanceModel unlabelled = without(labels);
        yield List.of(unlabelled, unlabelled.with(adopted(of, false)).collected());
      }
    };
  }

  private static MaintenanceFacts completed(MaintenanceFacts of) {
    return TestMaintenances.conditioned(
        of,
        changed(
            of,
            List.of(
                new MaintenanceStep.ConditionChange(
                    AdvisoryConditions.COMPLETED, "true", "", ""))));
  }

  private static MaintenanceFacts adopted(MaintenanceFacts of, boolean finalizer) {
    return new MaintenanceFacts(
        of.identity(),
        of.spec(),
        of.deleted(),
        finalizer,
        true,
        of.annotations(),
        of.state(),
        of.slaExpires(),
        of.conditions());
  }

  private static MaintenanceFacts moved(MaintenanceFacts of, MaintenanceStep.Move move) {
    return new MaintenanceFacts(
        of.identity(),
        of.spec(),
        of.deleted(),
        of.finalizer(),
        of.labelled(),
        of.annotations(),
        move.to(),
        move.slaExpires().or(of::slaExpires),
        changed(of, move.conditions()));
  }

  private static Map<String, String> changed(
      MaintenanceFacts of, List<MaintenanceStep.ConditionChange> changes) {
    Map<String, String> conditions = new HashMap<>(of.conditions());
    changes.forEach(change -> conditions.put(change.type(), change.status()));
    return conditions;
  }

  private MaintenanceModel without(Set<String> labels) {
    if (labels.isEmpty()) {
      return this;
    }
    MaintainedNode there = node.orElseThrow();
    Set<String> left = new HashSet<>(there.labels());
    left.removeAll(labels);
    return with(new MaintainedNode("n1", there.unschedulable(), left));
  }

  private MaintenanceModel told(NoticeEvent event) {
    Set<NoticeEvent> more = new HashSet<>(outbox);
    more.add(event);
    return new MaintenanceModel(maintenance, node, more, late);
  }

  private MaintenanceModel with(MaintainedNode changed) {
    return new MaintenanceModel(maintenance, Optional.of(changed), outbox, late);
  }

  private MaintenanceModel with(MaintenanceFacts changed) {
    return new MaintenanceModel(Optional.of(changed), node, outbox, late);
  }

  /** What is deleted and has no finalizer is gone. */
  private MaintenanceModel collected() {
    boolean gone = maintenance.filter(m -> m.deleted() && !m.finalizer()).isPresent();
    return gone ? new MaintenanceModel(Optional.empty(), node, outbox, late) : this;
  }

  MaintenanceModel deletedAndUncordoned() {
    MaintenanceModel back =
        node.map(there -> with(new MaintainedNode("n1", false, there.labels()))).orElse(this);
    return back.maintenance()
        .map(m -> back.with(TestMaintenances.deleted(m)).collected())
        .orElse(back);
  }
}
