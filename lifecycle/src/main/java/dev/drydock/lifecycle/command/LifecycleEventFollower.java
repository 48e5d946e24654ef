package dev.drydock.lifecycle.command;

import dev.drydock.cli.InterruptMessage;
import dev.drydock.cli.Terminal;
import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Resource;
import dev.drydock.lifecycle.api.LifecycleEventObject;
import dev.drydock.lifecycle.api.LifecycleNodeObject;
import dev.drydock.lifecycle.api.LifecyclePaths;
import dev.drydock.lifecycle.api.TransitionHistory;
import dev.drydock.lifecycle.decide.ClaimDecider;
import dev.drydock.lifecycle.decide.LifecycleRef;
import dev.drydock.serve.command.ObjectFollower;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Follows LifecycleEvents to their ends, for a person. */
final class LifecycleEventFollower implements ObjectFollower.Listener<LifecycleEventObject> {
  /** An agent that is there claims sooner. */
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final KubeHttp http;
  private final Terminal terminal;
  private final InterruptMessage interruption;
  private final Map<String, LifecycleEventObject> asked = new LinkedHashMap<>();
  private final Map<String, LifecycleEventObject> seen = new HashMap<>();
  private final Map<String, String> told = new HashMap<>();
  private final Map<String, Ending> endings = new HashMap<>();

  /**
   * How it ended.
   *
   * @param outcome in the API's words, e.g. {@code Succeeded}
   */
  record Ending(String node, String event, String transition, String outcome, String message) {
    boolean succeeded() {
      return outcome.equals(ClaimStatus.Succeeded.name());
    }

    /** One line for a person. */
    String failure(String wanted) {
      return "node/%s not %s: LifecycleEvent %s: %s: %s"
          .formatted(node, wanted, event, outcome, message);
    }
  }

  /**
   * @param events of one API group
   */
  LifecycleEventFollower(
      KubeHttp http,
      Terminal terminal,
      InterruptMessage interruption,
      List<LifecycleEventObject> events) {
    this.http = http;
    this.terminal = terminal;
    this.interruption = interruption;
    events.forEach(event -> asked.put(event.facts().ref().name(), event));
  }

  /**
   * Follows until all have ended.
   *
   * @param timeout zero for none
   * @return a line for each that has not ended
   */
  List<String> keep(Kube kube, Duration timeout) throws InterruptedException {
    asked.keySet().forEach(interruption::begun);
    String group = asked.values().iterator().next().facts().ref().group();
    try (ObjectFollower<LifecycleEventObject> follower =
        new ObjectFollower<>(
                kube,
                LifecyclePaths.events(group),
                asked.keySet(),
                event -> LifecycleEventObject.read(group, event))
            .start()) {
      return follower.follow(this, TIMEOUT, timeout).stream().map(this::timedOut).toList();
    }
  }

  /** In the order of the events; without those that have not ended. */
  List<Ending> endings() {
    return asked.keySet().stream()
        .flatMap(name -> Optional.ofNullable(endings.get(name)).stream())
        .toList();
  }

  @Override
  public boolean look(String name, @Nullable LifecycleEventObject last, boolean exists) {
    LifecycleEventObject event = event(name);
    Optional<Ending> ending =
        exists && (last == null || isSame(last, event))
            ? Optional.ofNullable(last).flatMap(now -> look(event, now))
            : Optional.of(
                remembered(event, "Gone", "it was deleted, and its result was not recorded"));
    ending.ifPresent(
        how -> {
          endings.put(name, how);
          interruption.ended(name);
        });
    return ending.isPresent();
  }

  private LifecycleEventObject event(String name) {
    return Optional.ofNullable(asked.get(name)).orElseThrow();
  }

  /** Another one of its name may have been created after its end. */
  private static boolean isSame(LifecycleEventObject one, LifecycleEventObject other) {
    return one.facts().uid().equals(other.facts().uid());
  }

  private Optional<Ending> look(LifecycleEventObject event, LifecycleEventObject now) {
    seen.put(event.facts().ref().name(), now);
    print(now);
    ClaimStatus claim = now.facts().claim();
    boolean stays = claim.isTerminal() && !now.facts().guarded();
    if (!stays) {
      return Optional.empty();
    }
    return Optional.of(
        claim == ClaimStatus.Succeeded
            ? remembered(event, "Unknown", ClaimDecider.NOT_THE_DRIVERS.formatted(claim))
            : ending(event, claim.name(), now.facts().message()));
  }

  private void print(LifecycleEventObject event) {
    String text =
        event.facts().message().isEmpty()
            ? event.facts().claim().name()
            : event.facts().claim() + ": " + event.facts().message();
    if (!text.equals(told.put(event.facts().ref().name(), text))) {
      terminal.err().printf("lifecycleevent/%s %s%n", event.facts().ref(), text);
    }
  }

  /** Names those that no agent has claimed. */
  @Override
  public void late(Set<String> pending) {
    for (String name : pending) {
      LifecycleEventObject now = seen.get(name);
      if (now != null
          && now.facts().claim() == ClaimStatus.Pending
          && now.facts().message().isEmpty()) {
        terminal
            .err()
            .printf(
                "LifecycleEvent %s is not claimed yet; is 'drydock agent' running on node %s? Waiting for it.%n",
                now.facts().ref(), now.node());
      }
    }
  }

  private String timedOut(String name) {
    LifecycleRef ref = event(name).facts().ref();
    String text = told.getOrDefault(name, "");
    return "LifecycleEvent %s has not ended%s; it continues. Follow it again with the same command, or cancel it with: kubectl delete lifecycleevents.%s %s"
        .formatted(ref, text.isEmpty() ? "" : ": " + text, ref.group(), ref);
  }

  /**
   * Only what the node keeps counts: it is recorded when the driver has said it.
   *
   * @param event that was followed
   * @param unrecorded the outcome if nothing is recorded, and why
   */
  private Ending remembered(LifecycleEventObject event, String unrecorded, String why) {
    Optional<LifecycleNodeObject> node =
        http.find(Resource.NODES, "", event.node()).map(LifecycleNodeObject::read);
    if (node.isEmpty()) {
      return ending(event, "Gone", "node " + event.node() + " is gone");
    }
    return TransitionHistory.read(node.get().history()).entries().stream()
        .filter(entry -> entry.uid().equals(event.facts().uid()))
        .findFirst()
        .map(entry -> ending(event, entry.outcome(), entry.message()))
        .orElseGet(() -> ending(event, unrecorded, why));
  }

  private static Ending ending(LifecycleEventObject event, String outcome, String message) {
    return new Ending(
        event.node(), event.facts().ref().name(), event.facts().transition(), outcome, message);
  }
}
