package dev.drydock.health.decide;

import dev.drydock.contracts.ShortText;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.decide.AppliedMarks.AppliedLabel;
import dev.drydock.health.decide.AppliedMarks.AppliedTaint;
import dev.drydock.health.decide.AppliedMarks.Cordon;
import dev.drydock.health.decide.MarkedNode.ManualEnd;
import dev.drydock.health.decide.NodeEdit.HoldStep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Plans the write that brings a Node in line with its quarantine: the union of what the rules want
 * for the failures that are left. Only what a quarantine put there is removed.
 *
 * @param rules by name
 * @param labelPrefix of the labels about cordons
 */
public record NodeEdits(Map<String, RuleActions> rules, String labelPrefix, Strikes.Limit strikes) {
  private static final String QUARANTINED = StateLabel.QUARANTINED.word();
  private static final String US = "NVSentinel";
  private static final int LONGEST_HOLD_REASON = 512;

  public NodeEdits {
    rules = Map.copyOf(rules);
  }

  /** The edit for a node whose quarantine is to become this. */
  public NodeEdit plan(MarkedNode node, QuarantineState after, Instant now) {
    Draft draft = new Draft(node, now);
    Optional<Quarantine> quarantine = after.quarantine();
    boolean begins =
        quarantine
            .filter(
                next ->
                    node.state()
                        .quarantine()
                        .filter(before -> before.episode().equals(next.episode()))
                        .isEmpty())
            .isPresent();
    if (begins) {
      draft.strikes =
          node.strikes().struck(quarantine.get().faults().getFirst().event(), now, strikes);
    }
    quarantine.ifPresentOrElse(draft::apply, draft::recover);
    return draft.edit(after);
  }

  /**
   * The edit for a node whose quarantine a person has ended. Taints and labels that rules wanted
   * stay on the node.
   */
  public NodeEdit planManualEnd(MarkedNode node, Instant now) {
    Draft draft = new Draft(node, now);
    draft.labels.put(HealthNames.STATE_LABEL, Optional.empty());
    draft.removeCordonLabels();
    draft.marks = AppliedMarks.NONE;
    draft.manual = node.manualEnd();
    draft.strikes = Strikes.NONE; // a person has looked at the node
    if (draft.manual == ManualEnd.UNCORDONED) {
      draft.hold = new HoldStep.Drop();
    } else if (node.marks().isCordoned()) {
      draft.hold = draft.released();
    }
    return draft.edit(QuarantineState.NONE);
  }

  private final class Draft {
    private final MarkedNode node;
    private final Instant now;
    private final Map<String, Optional<String>> labels = new LinkedHashMap<>();
    private final List<NodeTaint> added = new ArrayList<>();
    private final List<NodeTaint> removed = new ArrayList<>();
    private AppliedMarks marks;
    private Strikes strikes;
    private HoldStep hold = new HoldStep.Keep();
    private ManualEnd manual = ManualEnd.NONE;

    Draft(MarkedNode node, Instant now) {
      this.node = node;
      this.now = now;
      marks = node.marks();
      strikes = node.strikes();
    }

    NodeEdit edit(QuarantineState after) {
      return new NodeEdit(after, marks, strikes, labels, added, removed, hold, manual);
    }

    void apply(Quarantine quarantine) {
      List<RuleActions> wanted = new ArrayList<>();
      boolean unknown = false;
      boolean forced = false;
      for (TrackedFault fault : quarantine.faults()) {
        forced |= fault.isForced();
        unknown |= fault.ruleSets().isEmpty();
        for (String name : fault.ruleSets().orElse(List.of())) {
          RuleActions rule = rules.get(name);
          unknown |= rule == null;
          if (rule != null) {
            wanted.add(rule);
          }
        }
      }
      WantedActions actions = WantedActions.of(wanted);
      List<AppliedTaint> taints = taints(actions.taints(), unknown);
      List<AppliedLabel> appliedLabels = labels(actions.labels(), unknown);
      boolean cordon = actions.cordon() || forced || (unknown && node.marks().isCordoned());
      marks = new AppliedMarks(taints, appliedLabels, marks.cordon(), marks.cordonReason());
      if (cordon && !node.marks().isCordoned()) {
        cordon(quarantine);
      } else if (!cordon && node.marks().isCordoned()) {
        uncordon();
      }
      if (!QUARANTINED.equals(node.labels().get(HealthNames.STATE_LABEL))
          && node.state().quarantine().isEmpty()) {
        labels.put(HealthNames.STATE_LABEL, Optional.of(QUARANTINED));
      }
    }

    /**
     * @param keep what was applied for rules that are not known any more stays until the end
     */
    private List<AppliedTaint> taints(List<NodeTaint> wanted, boolean keep) {
      List<AppliedTaint> applied = new ArrayList<>();
      for (AppliedTaint before : node.marks().taints()) {
        if (keep || wanted.contains(before.taint())) {
          applied.add(before);
        } else if (!before.preExisting()) {
          removed.add(before.taint());
        }
      }
      for (NodeTaint taint : wanted) {
        boolean there = applied.stream().anyMatch(one -> one.taint().equals(taint));
        boolean impossible =
            node.taints().stream()
                .filter(one -> !removed.contains(one))
                .anyMatch(one -> one.excludes(taint) && !one.equals(taint));
        if (!there && !impossible) {
          boolean preExisting = node.taints().contains(taint);
          applied.add(new AppliedTaint(taint, preExisting));
          if (!preExisting) {
            added.add(taint);
          }
        }
      }
      return applied;
    }

    private List<AppliedLabel> labels(Map<String, RuleActions> wanted, boolean keep) {
      List<AppliedLabel> applied = new ArrayList<>();
      for (AppliedLabel before : node.marks().labels()) {
        RuleActions rule = wanted.get(before.key());
        if (rule == null && keep) {
          applied.add(before);
        } else if (rule == null) {
          labels.put(before.key(), before.previous());
        }
      }
      wanted.forEach((key, rule) -> applied.add(label(key, rule)));
      return applied.stream().sorted((one, other) -> one.key().compareTo(other.key())).toList();
    }

    private AppliedLabel label(String key, RuleActions rule) {
      String value = rule.label().map(RuleActions.RuleLabel::value).orElse("");
      Optional<AppliedLabel> before =
          node.marks().labels().stream().filter(one -> one.key().equals(key)).findFirst();
      Optional<String> previous =
          before.isPresent()
              ? before.get().previous()
              : Optional.ofNullable(node.labels().get(key));
      if (!value.equals(node.labels().get(key))) {
        labels.put(key, Optional.of(value));
      }
      return new AppliedLabel(key, value, rule.priority(), rule.order(), previous);
    }

    private void cordon(Quarantine quarantine) {
      String reason = reason(quarantine);
      boolean before = node.unschedulable();
      marks =
          new AppliedMarks(
              marks.taints(),
              marks.labels(),
              before ? Cordon.PRE_EXISTING : Cordon.OURS,
              before ? "" : reason);
      hold = new HoldStep.Place(holdReason(quarantine));
      if (!before) {
        for (String name : List.of("uncordon-by", "uncordon-reason", "uncordon-timestamp")) {
          labels.put(labelPrefix + name, Optional.empty());
        }
        labels.put(labelPrefix + "cordon-by", Optional.of(by(quarantine)));
        labels.put(labelPrefix + "cordon-reason", Optional.of(reason));
        labels.put(labelPrefix + "cordon-timestamp", Optional.of(LabelTexts.time(now)));
      }
    }

    private String by(Quarantine quarantine) {
      TrackedFault first = quarantine.faults().getFirst();
      return first.isForced()
          ? LabelTexts.value(
              first.event().agent()
                  + "-"
                  + first.event().metadata().getOrDefault(FaultBounds.CREATOR, ""))
          : US;
    }

    private String reason(Quarantine quarantine) {
      TrackedFault first = quarantine.faults().getFirst();
      if (first.isForced()) {
        return LabelTexts.value(first.event().message());
      }
      Set<String> names = new LinkedHashSet<>();
      quarantine.faults().forEach(fault -> names.addAll(fault.ruleSets().orElse(List.of())));
      return LabelTexts.reason(names);
    }

    private String holdReason(Quarantine quarantine) {
      TrackedFault first = quarantine.faults().getFirst();
      String message = first.event().message();
      String reason = first.event().checkName() + (message.isEmpty() ? "" : ": " + message);
      return ShortText.of(reason, LONGEST_HOLD_REASON);
    }

    /** The failures that are left want no cordon any more. */
    private void uncordon() {
      removeCordonLabels();
      sayUncordoned();
      hold = released();
      marks = new AppliedMarks(marks.taints(), marks.labels(), Cordon.NONE, "");
    }

    void recover() {
      node.marks().taints().stream()
          .filter(applied -> !applied.preExisting())
          .filter(applied -> node.taints().contains(applied.taint()))
          .forEach(applied -> removed.add(applied.taint()));
      node.marks().labels().forEach(applied -> labels.put(applied.key(), applied.previous()));
      labels.put(HealthNames.STATE_LABEL, Optional.empty());
      removeCordonLabels();
      Optional<String> out = strikes.out(now, NodeEdits.this.strikes);
      if (node.marks().isCordoned()) {
        hold = out.<HoldStep>map(HoldStep.Strike::new).orElseGet(this::released);
      }
      if (node.marks().cordon() == Cordon.OURS && out.isEmpty()) {
        sayUncordoned();
      }
      marks = AppliedMarks.NONE;
    }

    HoldStep released() {
      return !node.held() && node.marks().cordon() == Cordon.OURS
          ? new HoldStep.ReleaseWithCordon()
          : new HoldStep.Release();
    }

    private void sayUncordoned() {
      labels.put(labelPrefix + "uncordon-by", Optional.of(US));
      labels.put(
          labelPrefix + "uncordon-reason",
          Optional.of(LabelTexts.removed(node.marks().cordonReason())));
      labels.put(labelPrefix + "uncordon-timestamp", Optional.of(LabelTexts.time(now)));
    }

    void removeCordonLabels() {
      labels.put(labelPrefix + "cordon-by", Optional.empty());
      labels.put(labelPrefix + "cordon-reason", Optional.empty());
      labels.put(labelPrefix + "cordon-timestamp", Optional.empty());
    }
  }
}
