package dev.drydock.maintenance.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.drain.hold.HoldsAnnotation;
import dev.drydock.kube.Json;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;

/**
 * All who have something to do with maintenances besides the operator: schedulers, clients, and
 * people who change their minds. The same seed does the same in the same situations.
 */
final class RandomWalkActors {
  private static final int MOST = 7;

  /** What somebody else writes down, who also holds nodes. */
  private static final String OTHER_HOLD =
      "{\"test/somebody-else\":{\"reason\":\"its own\",\"since\":\"2026-01-01T00:00:00Z\"}}";

  private static final List<MaintenanceState> SAID_IN =
      List.of(MaintenanceState.STARTED, MaintenanceState.DRAINED, MaintenanceState.VALIDATING);

  final List<String> entries = new ArrayList<>();
  private final RandomWalkFixture fixture;
  private final Random random;
  private int created;

  RandomWalkActors(RandomWalkFixture fixture, long seed) {
    this.fixture = fixture;
    random = new Random(seed);
  }

  /** Something that somebody might do now. */
  void act() {
    switch (random.nextInt(25)) {
      case 0, 1, 2, 3, 4 -> create();
      case 5, 6, 7, 8 -> schedule();
      case 9, 10, 11, 12, 13, 14, 15 -> report();
      case 16 -> any(each -> true).ifPresent(this::delete);
      case 17, 18 -> uncordon(node());
      case 19 -> cordon(node());
      case 20 -> comeOrGo(node());
      case 21 -> any(facts -> facts.state().hasBegun()).ifPresent(this::unlabel);
      case 22 -> meddleWithHolds(node());
      case 23 -> fixture.stopped = Optional.of("the cord is pulled");
      default -> fixture.stopped = Optional.empty();
    }
  }

  private void did(String what) {
    entries.add(what);
  }

  private String node() {
    return RandomWalkFixture.NODES.get(random.nextInt(RandomWalkFixture.NODES.size()));
  }

  private Optional<MaintenanceFacts> any(Predicate<MaintenanceFacts> wanted) {
    List<MaintenanceFacts> found =
        fixture.witness.maintenances().stream()
            .map(NotifyMaintenanceObject::facts)
            .filter(facts -> !facts.deleted() && !facts.isOver())
            .filter(wanted)
            .sorted(Comparator.comparing(facts -> facts.identity().name()))
            .toList();
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(found.get(random.nextInt(found.size())));
  }

  private static boolean hasClass(MaintenanceFacts facts) {
    return facts.spec().maintenanceClass() != null;
  }

  private void create() {
    if (fixture.witness.maintenances().size() >= MOST) {
      return;
    }
    created++;
    String node = node();
    Optional<String> maintenanceClass =
        random.nextInt(5) < 2
            ? Optional.empty()
            : Optional.of(
                RandomWalkFixture.CLASSES.get(random.nextInt(RandomWalkFixture.CLASSES.size())));
    did("create m%d on %s, class %s".formatted(created, node, maintenanceClass.orElse("none")));
    fixture.maintenance("m" + created, node, maintenanceClass);
  }

  /** One who schedules those that have no class: both that is needed, or only one of it yet. */
  private void schedule() {
    any(facts -> facts.state() == MaintenanceState.SCHEDULED && !hasClass(facts))
        .ifPresent(
            facts -> {
              if (random.nextInt(4) > 0) {
                did("label %s for %s".formatted(facts.node(), facts.identity()));
                fixture.patch(
                    "Node",
                    facts.node(),
                    "{metadata: {labels: {\"%s\": \"\"}}}".formatted(facts.nodeLabel()));
              }
              if (random.nextInt(4) > 0) {
                cordon(facts.node());
              }
            });
  }

  /** A client's word that is due, or now and then one that is not. */
  private void report() {
    any(facts -> !hasClass(facts) || "outside".equals(facts.spec().maintenanceClass()))
        .ifPresent(
            facts -> {
              boolean classless = !hasClass(facts);
              MaintenanceState meant =
                  random.nextInt(6) == 0 && classless
                      ? SAID_IN.get(random.nextInt(SAID_IN.size()))
                      : facts.state();
              switch (meant) {
                case STARTED, SLA_EXPIRED -> {
                  if (classless) {
                    say(facts, MaintenanceNames.READY, "true", "true", "false");
                  }
                }
                case DRAINED ->
                    say(
                        facts,
                        MaintenanceNames.MAINTENANCE_CLIENT,
                        "inprogress",
                        "complete",
                        "complete",
                        "incomplete",
                        "nonsense");
                case VALIDATING ->
                    say(
                        facts,
                        MaintenanceNames.VALIDATION_CLIENT,
                        "inprogress",
                        "validated",
                        "validated",
                        "failed");
                case NONE, SCHEDULED, INCOMPLETE, UNKNOWN -> {}
              }
            });
  }

  private void say(MaintenanceFacts facts, String annotation, String... words) {
    String word = words[random.nextInt(words.length)];
    did("say %s=%s of %s".formatted(annotation, word, facts.identity()));
    fixture.patch(
        "NotifyMaintenance",
        facts.identity().name(),
        "{metadata: {annotations: {\"%s\": \"%s\"}}}".formatted(annotation, word));
  }

  void delete(MaintenanceFacts facts) {
    did("delete %s in state %s".formatted(facts.identity(), facts.state()));
    var _ = fixture.cluster.delete("NotifyMaintenance", "default", facts.identity().name(), null);
  }

  void cordon(String node) {
    did("cordon %s".formatted(node));
    fixture.patch("Node", node, "{spec: {unschedulable: true}}");
  }

  void uncordon(String node) {
    did("uncordon %s".formatted(node));
    fixture.patch("Node", node, "{spec: {unschedulable: null}}");
  }

  private void comeOrGo(String node) {
    if (fixture.cluster.find("Node", "", node) == null) {
      did("add node %s".formatted(node));
      fixture.addNode(node);
    } else if (random.nextInt(2) == 0) {
      did("delete node %s".formatted(node));
      var _ = fixture.cluster.delete("Node", "", node, null);
    }
  }

  private void unlabel(MaintenanceFacts facts) {
    did("remove the label of %s".formatted(facts.identity()));
    fixture.patch(
        "Node", facts.node(), "{metadata: {labels: {\"%s\": null}}}".formatted(facts.nodeLabel()));
  }

  /** Somebody holds a node that nobody holds; or makes a mess of the holds, and mends it. */
  private void meddleWithHolds(String name) {
    MaintenanceNodeObject node = fixture.witness.nodes().get(name);
    if (node == null) {
      return;
    }
    if (node.holds().isEmpty()) {
      did("hold %s for somebody else".formatted(name));
      var _ = holds(node, OTHER_HOLD, node.version());
    } else if (node.facts().unschedulable()) {
      did("break the holds of %s, and mend them".formatted(name));
      if (holds(node, "garbage", node.version())) {
        fixture.pause(random.nextInt(100));
        var _ = holds(node, node.holds().get(), "");
      }
    }
  }

  /** Whether it was done: not if the node is another one by now. */
  private boolean holds(MaintenanceNodeObject node, String text, String version) {
    ObjectNode patch = Json.object();
    ObjectNode metadata = patch.putObject("metadata");
    metadata.putObject("annotations").put(HoldsAnnotation.NAME, text);
    if (!version.isEmpty()) {
      metadata.put("resourceVersion", version);
    }
    patch.putObject("spec").put("unschedulable", true);
    return fixture.cluster.patch("Node", "", node.facts().name(), "", patch).isSuccess();
  }

  /** What the operator must release by itself once it is deleted. */
  static boolean isLetGo(MaintenanceFacts facts) {
    return hasClass(facts)
        && switch (facts.state()) {
          case NONE, SCHEDULED, STARTED, SLA_EXPIRED -> true;
          case DRAINED, VALIDATING, INCOMPLETE, UNKNOWN -> RandomWalkObserver.isProved(facts);
        };
  }
}
