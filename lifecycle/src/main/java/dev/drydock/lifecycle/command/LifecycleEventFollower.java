package dev.drydock.lifecycle.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.Terminal;
import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.Watch;
import dev.drydock.lifecycle.api.LifecycleEventObject;
import dev.drydock.lifecycle.api.LifecycleNodeObject;
import dev.drydock.lifecycle.api.LifecyclePaths;
import dev.drydock.lifecycle.api.TransitionHistory;
import dev.drydock.lifecycle.decide.ClaimDecider;
import dev.drydock.lifecycle.decide.LifecycleRef;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Follows one LifecycleEvent to its end, for a person. */
final class LifecycleEventFollower {
  /** An agent that is there claims sooner. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Kube kube;
  private final Terminal terminal;
  private final LifecycleEventObject asked;
  private final Instant begun;
  private final Instant deadline;
  private final ControlLoop loop;
  private final Watch<LifecycleEventObject> watch;
  private final CompletableFuture<Ending> ending = new CompletableFuture<>();
  private String told = "";
  private boolean patient = true;

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
   * @param timeout zero for none
   */
  LifecycleEventFollower(
      Kube kube, Terminal terminal, LifecycleEventObject asked, Duration timeout) {
    this.kube = kube;
    this.terminal = terminal;
    this.asked = asked;
    begun = kube.clock().instant();
    deadline = timeout.isZero() ? Instant.MAX : begun.plus(timeout);
    LifecycleRef ref = asked.facts().ref();
    loop = kube.loop("event-follower", ref.name(), this::step);
    watch =
        kube.watches()
            .of(
                Watch.Kind.of(
                    LifecyclePaths.events(ref.group()).fieldSelector("metadata.name=" + ref.name()),
                    event -> LifecycleEventObject.read(ref.group(), event)),
                Watch.Listener.waking(loop::wake));
  }

  /** Completed when the event has ended; fails when it cannot be followed to its end. */
  CompletableFuture<Ending> start() {
    watch.start();
    loop.wake();
    return ending;
  }

  private Instant step() {
    if (ending.isDone()) {
      return Instant.MAX;
    }
    try {
      Optional<Ending> found = look();
      if (found.isPresent()) {
        ending.complete(found.get());
        return Instant.MAX;
      }
      return waitOn();
    } catch (CommandFailure | ApiFailure failure) {
      ending.completeExceptionally(failure);
      return Instant.MAX;
    }
  }

  private Instant waitOn() {
    Instant now = kube.clock().instant();
    if (!now.isBefore(deadline)) {
      throw new CommandFailure(
          "LifecycleEvent %s has not ended%s; it continues. Follow it again with the same command, or cancel it with: kubectl delete lifecycleevents.%s %s"
              .formatted(
                  asked.facts().ref(),
                  told.isEmpty() ? "" : ": " + told,
                  asked.facts().ref().group(),
                  asked.facts().ref()));
    }
    Instant impatient = begun.plus(PATIENCE);
    if (patient && !now.isBefore(impatient)) {
      patient = false;
      tellIfNotClaimed();
    }
    return patient && impatient.isBefore(deadline) ? impatient : deadline;
  }

  private Optional<Ending> look() {
    Watch.State<LifecycleEventObject> state = watch.state();
    if (state.unsynced().isPresent()) {
      if (state.forbidden()) {
        throw new CommandFailure(
            "missing permission: cannot follow: %s; use --no-wait"
                .formatted(state.unsynced().get()));
      }
      return Optional.empty();
    }
    Optional<LifecycleEventObject> now =
        state.items().stream()
            .filter(event -> event.facts().uid().equals(asked.facts().uid()))
            .findFirst();
    if (now.isEmpty()) {
      return Optional.of(remembered("Gone", "it was deleted, and its result was not recorded"));
    }
    tell(now.get());
    ClaimStatus claim = now.get().facts().claim();
    boolean stays = claim.isTerminal() && !now.get().facts().guarded();
    if (!stays) {
      return Optional.empty();
    }
    return Optional.of(
        claim == ClaimStatus.Succeeded
            ? remembered("Unknown", ClaimDecider.NOT_THE_DRIVERS.formatted(claim))
            : ending(claim.name(), now.get().facts().message()));
  }

  private void tell(LifecycleEventObject event) {
    String text =
        event.facts().message().isEmpty()
            ? event.facts().claim().name()
            : event.facts().claim() + ": " + event.facts().message();
    if (!text.equals(told)) {
      told = text;
      terminal.err().printf("lifecycleevent/%s %s%n", event.facts().ref(), text);
      terminal.err().flush();
    }
  }

  private void tellIfNotClaimed() {
    boolean pending =
        watch.state().items().stream()
            .anyMatch(
                event ->
                    event.facts().claim() == ClaimStatus.Pending
                        && event.facts().message().isEmpty());
    if (pending) {
      terminal
          .err()
          .printf(
              "LifecycleEvent %s is not claimed yet; is 'drydock agent' running on node %s? Waiting for it.%n",
              asked.facts().ref(), asked.node());
      terminal.err().flush();
    }
  }

  /**
   * Only what the node keeps counts: it is recorded when the driver has said it.
   *
   * @param unrecorded the outcome if nothing is recorded, and why
   */
  private Ending remembered(String unrecorded, String why) {
    KubeAnswer answer = kube.http().send(ApiCall.get(LifecyclePaths.node(asked.node())));
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      return ending("Gone", "node " + asked.node() + " is gone");
    }
    LifecycleNodeObject node = LifecycleNodeObject.read(answer.orThrow("node " + asked.node()));
    return TransitionHistory.read(node.history()).entries().stream()
        .filter(entry -> entry.uid().equals(asked.facts().uid()))
        .findFirst()
        .map(entry -> ending(entry.outcome(), entry.message()))
        .orElseGet(() -> ending(unrecorded, why));
  }

  private Ending ending(String outcome, String message) {
    return new Ending(
        asked.node(), asked.facts().ref().name(), asked.facts().transition(), outcome, message);
  }
}
