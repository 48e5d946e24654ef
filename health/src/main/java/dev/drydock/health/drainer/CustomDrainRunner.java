package dev.drydock.health.drainer;

import dev.drydock.health.customdrain.CustomDrains;
import dev.drydock.health.customdrain.CustomDrains.Found;
import dev.drydock.health.customdrain.CustomDrains.KindMissing;
import dev.drydock.health.customdrain.CustomDrains.Present;
import dev.drydock.health.customdrain.CustomDrains.Refused;
import dev.drydock.health.customdrain.decide.CustomDrainDecider;
import dev.drydock.health.customdrain.decide.CustomDrainStep;
import dev.drydock.health.customdrain.decide.CustomDrainTask;
import dev.drydock.health.drainer.decide.DrainGoal;
import dev.drydock.health.drainer.decide.DrainScope;
import dev.drydock.health.drainer.decide.DrainSnapshot;
import dev.drydock.health.drainer.decide.DrainWait;
import dev.drydock.health.drainer.decide.ModeRulings;
import dev.drydock.health.resource.ResourceTemplateInvalid;
import dev.drydock.health.store.StoredEvent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets another controller drain a node: one resource for all events of a quarantine. */
final class CustomDrainRunner {
  private static final Logger LOG = LoggerFactory.getLogger(CustomDrainRunner.class);

  private final String name;
  private final NodeDrainerContext context;
  private final CustomDrains drains;
  private final NodeDrains outcomes;
  private final NodeDrainLabels labels;

  /** The event whose resource was there at the last look. */
  private String seen = "";

  CustomDrainRunner(
      String name,
      NodeDrainerContext context,
      CustomDrains drains,
      NodeDrains outcomes,
      NodeDrainLabels labels) {
    this.name = name;
    this.context = context;
    this.drains = drains;
    this.outcomes = outcomes;
    this.labels = labels;
  }

  private Instant now() {
    return context.kube().clock().instant();
  }

  private CustomDrainTask task(DrainGoal goal) {
    return new CustomDrainTask(
        name,
        goal.owner().id(),
        goal.episode(),
        goal.scope() instanceof DrainScope.Device device ? device.value() : "");
  }

  private List<Found> found() {
    try {
      return drains.present(name).resources();
    } catch (KindMissing missing) {
      return List.of();
    }
  }

  /** A drain that another controller has begun goes on there, whatever labels the node has now. */
  boolean drains(QuarantinedNode node, DrainGoal goal) {
    return drains.config().nodes().matches(node.labels())
        || found().stream().anyMatch(each -> isFor(each, goal));
  }

  private static boolean isFor(Found found, DrainGoal goal) {
    return found.resource().event().equals(goal.owner().id());
  }

  /** Deletes what we made and nobody waits for any more. */
  void keepOnly(List<DrainGoal> goals) {
    for (Found each : found()) {
      boolean ours = !each.resource().event().isEmpty();
      boolean wanted =
          goals.stream()
              .flatMap(goal -> goal.documents().stream())
              .anyMatch(document -> document.id().equals(each.resource().event()));
      if (ours && !wanted && !each.object().deleted()) {
        LOG.info("node {}: {} is not needed any more", name, each.resource().name());
        drains.delete(each);
      }
    }
  }

  /** Returns when to look again. */
  Instant advance(QuarantinedNode node, DrainGoal goal, List<DrainGoal> goals) {
    try {
      Present present = drains.present(name);
      if (present.unknown().isPresent()) {
        wait("the resources of drains are not known: " + present.unknown().get(), false);
        return Instant.MAX; // woken when they are
      }
      CustomDrainStep step =
          CustomDrainDecider.decide(
              task(goal),
              present.resources().stream().map(Found::resource).toList(),
              drains.config().rules(),
              now());
      Instant next = act(node, goal, goals, step);
      boolean over =
          !(step instanceof CustomDrainStep.Create || step instanceof CustomDrainStep.Wait);
      if (over) {
        present.resources().stream().filter(each -> isFor(each, goal)).forEach(drains::delete);
      }
      return next;
    } catch (KindMissing missing) {
      context.metrics().kindMissing(name);
      return outcomes.fail(node, goal, goals, line(missing), "custom_drain_kind_missing");
    } catch (ResourceTemplateInvalid | Refused never) {
      return outcomes.fail(node, goal, goals, line(never), "custom_drain_refused");
    }
  }

  private static String line(Exception failure) {
    return String.valueOf(failure.getMessage());
  }

  private Instant act(
      QuarantinedNode node, DrainGoal goal, List<DrainGoal> goals, CustomDrainStep step) {
    return switch (step) {
      case CustomDrainStep.Create() -> create(node, goal);
      case CustomDrainStep.Wait(Instant until, String why, boolean misnamed) -> {
        seen = goal.owner().id();
        wait(why, misnamed);
        yield until;
      }
      case CustomDrainStep.Complete(String message) -> outcomes.succeed(node, goal, goals, message);
      case CustomDrainStep.AlreadyDrained(String message) -> outcomes.alreadyDrained(goal, message);
      case CustomDrainStep.Fail(String message, boolean timeout) -> {
        if (timeout) {
          context.events().record(node, NodeDrainEvents.Reason.CustomDrainTimeout, message);
        }
        yield outcomes.fail(
            node, goal, goals, message, timeout ? "custom_drain_timeout" : "custom_drain_failed");
      }
    };
  }

  private void wait(String why, boolean tells) {
    outcomes.waits(
        tells ? Optional.of(new DrainWait(DrainWait.Kind.CUSTOM, why)) : Optional.empty(), why);
  }

  private Instant create(QuarantinedNode node, DrainGoal goal) {
    Optional<String> stopped = context.engine().stopped();
    if (stopped.isPresent()) {
      wait("everything is stopped: " + stopped.get(), false);
      return Instant.MAX; // woken when the andon cord is released
    }
    Optional<StoredEvent> event = context.stores().get().get(goal.owner().id());
    if (event.isEmpty()) {
      return now(); // it has expired meanwhile, and another one stands for the drain
    }
    CustomDrainTask task = task(goal);
    DrainSnapshot pods =
        DrainSnapshot.of(
            context.engine().pods(name),
            new ModeRulings(context.config().rules().everything(), goal));
    if (!labels.started(node, goal, drains.who(task), pods)) {
      return now();
    }
    if (seen.equals(goal.owner().id())) {
      LOG.warn("node {}: {} was deleted by somebody, and is made again", name, drains.who(task));
      context.metrics().failed(name, "custom_drain_deleted");
    }
    drains.create(
        task, event.get().event(), NodeDrainWriter.span(goal.owner().id()), pods.byNamespace());
    LOG.info(
        "node {}: {} drains it for event {} ({}) and {} others",
        name,
        drains.who(task),
        goal.owner().id(),
        goal.owner().checkName(),
        goal.others().size());
    context
        .events()
        .record(
            node,
            NodeDrainEvents.Reason.CustomDrainRequested,
            "The drain is left to " + drains.who(task));
    return Instant.MAX; // woken by the watch
  }
}
