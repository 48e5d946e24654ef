package dev.drydock.health.decide;

import static dev.drydock.health.decide.TestEvents.NOW;
import static dev.drydock.health.decide.TestEvents.forced;
import static dev.drydock.health.decide.TestEvents.healthy;
import static dev.drydock.health.decide.TestEvents.unhealthy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.decide.AppliedMarks.Cordon;
import dev.drydock.health.decide.MarkedNode.ManualEnd;
import dev.drydock.health.decide.NodeEdit.HoldStep;
import dev.drydock.health.decide.QuarantineDecision.Change;
import dev.drydock.health.decide.RuleActions.RuleLabel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NodeEditsTest {
  private static final NodeTaint SICK = new NodeTaint("sick", "true", "NoSchedule");
  private static final NodeTaint EVICT = new NodeTaint("evict", "true", "NoExecute");
  private static final String PREFIX = "k8saas.nvidia.com/";

  private static final List<RuleActions> ALL =
      List.of(
          rule("cordons", 0, true, null, null),
          rule("taints", 1, false, SICK, null),
          rule("evicts", 2, true, EVICT, null),
          rule("labels", 3, false, null, new RuleLabel("fault", "gpu")));
  private static final Map<String, RuleActions> RULES =
      ALL.stream().collect(Collectors.toMap(RuleActions::name, rule -> rule));
  private static final NodeEdits EDITS = new NodeEdits(RULES, PREFIX, Strikes.Limit.OFF);

  private static RuleActions rule(
      String name,
      int order,
      boolean cordon,
      @Nullable NodeTaint taint,
      @Nullable RuleLabel label) {
    return new RuleActions(
        name, order, 0, cordon, Optional.ofNullable(taint), Optional.ofNullable(label));
  }

  private static MarkedNode node(boolean unschedulable, List<NodeTaint> taints, String fault) {
    Map<String, String> labels = new HashMap<>(Map.of("zone", "a"));
    if (!fault.isEmpty()) {
      labels.put("fault", fault);
    }
    return new MarkedNode(
        "node-1",
        unschedulable,
        false,
        taints,
        labels,
        QuarantineState.NONE,
        AppliedMarks.NONE,
        Strikes.NONE);
  }

  /** The node as it is after the patch, as the API server and the holds make it. */
  private static MarkedNode after(MarkedNode node, NodeEdit edit, boolean heldByOthers) {
    Map<String, String> labels = new LinkedHashMap<>(node.labels());
    edit.labels()
        .forEach(
            (key, value) ->
                value.ifPresentOrElse(text -> labels.put(key, text), () -> labels.remove(key)));
    List<NodeTaint> taints = new ArrayList<>(node.taints());
    assertThat(taints).containsAll(edit.taintsRemoved());
    taints.removeAll(edit.taintsRemoved());
    taints.addAll(edit.taintsAdded());
    assertThat(taints.stream().map(taint -> taint.key() + taint.effect())).doesNotHaveDuplicates();
    boolean held =
        switch (edit.hold()) {
          case HoldStep.Keep() -> node.held();
          case HoldStep.Place _, HoldStep.Strike _ -> true;
          case HoldStep.Release(), HoldStep.ReleaseWithCordon(), HoldStep.Drop() -> false;
        };
    boolean unschedulable =
        edit.hold() instanceof HoldStep.Keep
            ? node.unschedulable()
            : held || (heldByOthers && !(edit.hold() instanceof HoldStep.Drop));
    return new MarkedNode(
        node.name(),
        unschedulable,
        held,
        taints,
        labels,
        edit.state(),
        edit.marks(),
        edit.strikes());
  }

  private static MarkedNode see(
      NodeEdits edits, MarkedNode node, boolean heldByOthers, HealthEvent event, String... rules) {
    QuarantineDecision decision =
        QuarantineDecider.decide(node.state().settled(), TestEvents.fresh(event, rules), NOW);
    return decision instanceof Change change
        ? after(node, edits.plan(node, change.after(), NOW), heldByOthers)
        : node;
  }

  @Test
  void everyQuarantineLeavesTheNodeAsItFoundIt() {
    List<String> names = ALL.stream().map(RuleActions::name).toList();
    for (boolean unschedulable : List.of(false, true)) {
      for (List<NodeTaint> taints :
          List.of(List.<NodeTaint>of(), List.of(SICK), List.of(SICK, EVICT))) {
        for (String fault : List.of("", "gpu", "other")) {
          for (int first = 1; first < 1 << names.size(); first++) {
            for (int second = 0; second < 1 << names.size(); second++) {
              MarkedNode before = node(unschedulable, taints, fault);
              MarkedNode node =
                  see(EDITS, before, unschedulable, unhealthy("1").build(), some(names, first));
              node =
                  see(
                      EDITS,
                      node,
                      unschedulable,
                      unhealthy("2").checkName("NicDown").build(),
                      some(names, second));
              assertUnion(node, before, first | second, names);
              node = see(EDITS, node, unschedulable, healthy("3").build());
              if (second != 0) {
                assertUnion(node, before, second, names);
                node = see(EDITS, node, unschedulable, healthy("4").checkName("NicDown").build());
              }
              assertSame(node, before);
            }
          }
        }
      }
    }
  }

  private static String[] some(List<String> names, int bits) {
    return Stream.iterate(0, i -> i < names.size(), i -> i + 1)
        .filter(i -> (bits & (1 << i)) != 0)
        .map(names::get)
        .toArray(String[]::new);
  }

  private static void assertUnion(
      MarkedNode node, MarkedNode before, int bits, List<String> names) {
    WantedActions wanted = WantedActions.of(Stream.of(some(names, bits)).map(RULES::get).toList());
    assertThat(node.unschedulable()).isEqualTo(wanted.cordon() || before.unschedulable());
    assertThat(node.held()).isEqualTo(wanted.cordon());
    assertThat(node.taints()).containsAll(wanted.taints()).containsAll(before.taints());
    assertThat(node.labels().get("fault"))
        .isEqualTo(wanted.labels().isEmpty() ? before.labels().get("fault") : "gpu");
    assertThat(node.labels()).containsEntry(HealthNames.STATE_LABEL, "quarantined");
    assertThat(node.manualEnd()).isEqualTo(ManualEnd.NONE);
    assertThat(node.labels().containsKey(PREFIX + "cordon-by"))
        .isEqualTo(wanted.cordon() && !before.unschedulable());
  }

  private static void assertSame(MarkedNode node, MarkedNode before) {
    assertThat(node.unschedulable()).isEqualTo(before.unschedulable());
    assertThat(node.taints()).containsExactlyInAnyOrderElementsOf(before.taints());
    Map<String, String> labels = new HashMap<>(node.labels());
    labels.keySet().removeIf(key -> key.startsWith(PREFIX + "uncordon-"));
    assertThat(labels).isEqualTo(before.labels());
    assertThat(node.marks()).isEqualTo(AppliedMarks.NONE);
    assertThat(node.state().quarantine()).isEmpty();
  }

  @Test
  void labelsSayWhoCordonedWhenAndWhy() {
    MarkedNode node =
        see(EDITS, node(false, List.of(), ""), false, unhealthy("1").build(), "cordons", "evicts");

    assertThat(node.labels())
        .containsEntry(PREFIX + "cordon-by", "NVSentinel")
        .containsEntry(PREFIX + "cordon-reason", "cordons-evicts")
        .containsEntry(PREFIX + "cordon-timestamp", "2026-07-01T12-00-00Z");

    MarkedNode healed = see(EDITS, node, false, healthy("2").build());

    assertThat(healed.labels())
        .containsEntry(PREFIX + "uncordon-by", "NVSentinel")
        .containsEntry(PREFIX + "uncordon-reason", "cordons-evicts-removed")
        .containsEntry(PREFIX + "uncordon-timestamp", "2026-07-01T12-00-00Z")
        .doesNotContainKey(PREFIX + "cordon-by");
    assertThat(see(EDITS, healed, false, unhealthy("3").build(), "cordons").labels())
        .doesNotContainKey(PREFIX + "uncordon-by");
  }

  @Test
  void aForcedQuarantineNamesItsCreator() {
    MarkedNode node =
        see(
            EDITS,
            node(false, List.of(), ""),
            false,
            forced("1").agent("ops").metadata("creator_id", "jane@x").message("on fire!").build());

    assertThat(node.unschedulable()).isTrue();
    assertThat(node.labels())
        .containsEntry(PREFIX + "cordon-by", "ops-jane-x")
        .containsEntry(PREFIX + "cordon-reason", "on-fire");
  }

  @Test
  void aPersonWhoUncordonsEndsTheQuarantineAndKeepsTheTaints() {
    MarkedNode held =
        see(EDITS, node(false, List.of(), ""), false, unhealthy("1").build(), "evicts");
    MarkedNode uncordoned =
        new MarkedNode(
            held.name(),
            false,
            true,
            held.taints(),
            held.labels(),
            held.state(),
            held.marks(),
            held.strikes());

    assertThat(uncordoned.manualEnd()).isEqualTo(ManualEnd.UNCORDONED);
    NodeEdit edit = EDITS.planManualEnd(uncordoned, NOW);
    MarkedNode ended = after(uncordoned, edit, false);

    assertThat(edit.manual()).isEqualTo(ManualEnd.UNCORDONED);
    assertThat(edit.hold()).isEqualTo(new HoldStep.Drop());
    assertThat(ended.taints()).containsExactly(EVICT);
    assertThat(ended.labels()).isEqualTo(Map.of("zone", "a"));
    assertThat(ended.state()).isEqualTo(QuarantineState.NONE);
  }

  @Test
  void aPersonWhoRemovesATaintEndsTheQuarantineToo() {
    MarkedNode held =
        see(EDITS, node(false, List.of(), ""), false, unhealthy("1").build(), "evicts");
    MarkedNode untainted =
        new MarkedNode(
            held.name(),
            true,
            true,
            List.of(),
            held.labels(),
            held.state(),
            held.marks(),
            held.strikes());

    assertThat(untainted.manualEnd()).isEqualTo(ManualEnd.UNTAINTED);
    assertThat(after(untainted, EDITS.planManualEnd(untainted, NOW), false).unschedulable())
        .isFalse();
  }

  @Test
  void aQuarantineOfTheOriginalIsTakenOver() {
    MarkedNode original =
        new MarkedNode(
            "node-1",
            true,
            false,
            List.of(SICK),
            Map.of(HealthNames.STATE_LABEL, "quarantined", PREFIX + "cordon-reason", "gpu"),
            QuarantineState.of(
                new Quarantine("1", NOW, List.of(TrackedFault.foreign(unhealthy("1").build())))),
            new AppliedMarks(
                List.of(new AppliedMarks.AppliedTaint(SICK, false)), List.of(), Cordon.OURS, "gpu"),
            Strikes.NONE);

    MarkedNode merged =
        see(EDITS, original, false, unhealthy("2").checkName("NicDown").build(), "labels");
    assertThat(merged.taints()).containsExactly(SICK);
    MarkedNode partly = see(EDITS, merged, false, healthy("3").checkName("NicDown").build());
    assertThat(partly.taints()).containsExactly(SICK);
    assertThat(partly.unschedulable()).isTrue();

    MarkedNode healed = see(EDITS, partly, false, healthy("4").build());
    assertThat(healed.unschedulable()).isFalse();
    assertThat(healed.taints()).isEmpty();
    assertThat(healed.labels()).containsEntry(PREFIX + "uncordon-reason", "gpu-removed");
  }

  @Test
  void aThirdFailureWithinTheWindowKeepsTheNodeOut() {
    NodeEdits strict = new NodeEdits(RULES, PREFIX, new Strikes.Limit(3, Duration.ofHours(1)));
    MarkedNode node = node(false, List.of(), "");
    for (int i = 0; i < 2; i++) {
      node = see(strict, node, false, unhealthy("f" + i).entity("GPU", "0").build(), "cordons");
      node = see(strict, node, false, healthy("h" + i).build());
      assertThat(node.unschedulable()).isFalse();
    }
    node = see(strict, node, false, unhealthy("f3").entity("GPU", "0").build(), "cordons");
    QuarantineDecision end =
        QuarantineDecider.decide(
            node.state().settled(), TestEvents.fresh(healthy("h3").build()), NOW);

    NodeEdit edit = strict.plan(node, ((Change) end).after(), NOW);

    assertThat(edit.hold()).isEqualTo(new HoldStep.Strike("GPU 0 failed 3 times"));
    assertThat(edit.state().quarantine()).isEmpty();
    assertThat(after(node, edit, false).unschedulable()).isTrue();
    assertThat(node.strikes().out(NOW.plus(Duration.ofHours(2)), strict.strikes())).isEmpty();
  }

  @Test
  void equalPrioritiesAreDecidedByTheOrderOfTheFile() {
    RuleActions first = new RuleActions("a", 0, 5, false, taint("NoSchedule"), label("1"));
    RuleActions second = new RuleActions("b", 1, 5, false, taint("NoExecute"), label("2"));
    RuleActions stronger = new RuleActions("c", 2, 6, false, taint("NoExecute"), label("3"));

    for (List<RuleActions> matched : List.of(List.of(first, second), List.of(second, first))) {
      WantedActions wanted = WantedActions.of(matched);
      assertThat(wanted.taints()).containsExactly(new NodeTaint("sick", "x", "NoSchedule"));
      assertThat(wanted.labels()).containsEntry("fault", second);
    }
    WantedActions wanted = WantedActions.of(List.of(first, second, stronger));
    assertThat(wanted.taints()).containsExactly(new NodeTaint("sick", "x", "NoExecute"));
    assertThat(wanted.labels()).containsEntry("fault", stronger);
  }

  private static Optional<NodeTaint> taint(String effect) {
    return Optional.of(new NodeTaint("sick", "x", effect));
  }

  private static Optional<RuleLabel> label(String value) {
    return Optional.of(new RuleLabel("fault", value));
  }

  @Test
  void labelTextsAreValidValues() {
    assertThat(LabelTexts.reason(List.of("GPU fatal error ruleset", "a/b")))
        .isEqualTo("GPU-fatal-error-ruleset-a-b");
    assertThat(LabelTexts.value("-".repeat(5) + "x".repeat(62) + "--y")).hasSize(62);
    assertThat(LabelTexts.value("!!!")).isEmpty();
    assertThat(LabelTexts.removed("x".repeat(63))).hasSize(63).endsWith("x-removed");
    assertThat(LabelTexts.removed("")).isEqualTo("removed");
  }
}
