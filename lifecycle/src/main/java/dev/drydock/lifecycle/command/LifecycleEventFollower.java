package dev.drydock.lifecycle.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.Terminal;
import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Source;
import dev.drydock.kube.WakeUp;
import dev.drydock.kube.Watch;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.lifecycle.api.LifecycleEventObject;
import dev.drydock.lifecycle.api.LifecycleNodeObject;
import dev.drydock.lifecycle.api.LifecyclePaths;
import dev.drydock.lifecycle.api.TransitionHistory;
import dev.drydock.lifecycle.decide.LifecycleRef;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Optional;

/** Follows one LifecycleEvent to its end, for a person. */
final class LifecycleEventFollower implements AutoCloseable {
  /** An agent that is there claims sooner. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  private final KubeHttp http;
  private final Terminal terminal;
  private final LifecycleEventObject asked;
  private final WakeUp bell = new WakeUp();
  private final Watch<LifecycleEventObject> watch;
  private String told = "";

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

  LifecycleEventFollower(KubeHttp http, Terminal terminal, LifecycleEventObject asked) {
    this.http = http;
    this.terminal = terminal;
    this.asked = asked;
    LifecycleRef ref = asked.facts().ref();
    String name = ApiCall.encode("metadata.name=" + ref.name());
    watch =
        new Kube(http, TimeSource.REAL)
            .watches()
            .of(
                Watch.Kind.of(
                    new Source(LifecyclePaths.events(ref.group()).path(), "fieldSelector=" + name),
                    event -> LifecycleEventObject.read(ref.group(), event)),
                Watch.Listener.waking(bell::ring),
                Backoff.USUAL);
  }

  /**
   * Until it has ended.
   *
   * @param timeout zero for none
   */
  Ending keep(Duration timeout) throws InterruptedException {
    watch.start();
    long begun = System.nanoTime();
    boolean patient = true;
    while (true) {
      Optional<Ending> ending = look();
      if (ending.isPresent()) {
        return ending.get();
      }
      Duration passed = Duration.ofNanos(System.nanoTime() - begun);
      if (!timeout.isZero() && passed.compareTo(timeout) >= 0) {
        throw new CommandFailure(
            "LifecycleEvent %s is not over yet%s; it goes on. Follow it again with the same command, or call it off with: kubectl delete lifecycleevents.%s %s"
                .formatted(
                    asked.facts().ref(),
                    told.isEmpty() ? "" : ": " + told,
                    asked.facts().ref().group(),
                    asked.facts().ref()));
      }
      if (patient && passed.compareTo(PATIENCE) >= 0) {
        patient = false;
        tellIfNotClaimed();
      }
      Duration next = patient ? PATIENCE.minus(passed) : LONGEST_WAIT;
      Duration left = timeout.isZero() ? LONGEST_WAIT : timeout.minus(passed);
      var _ = bell.await(next.compareTo(left) < 0 ? next : left);
    }
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
      return Optional.of(remembered());
    }
    tell(now.get());
    ClaimStatus claim = now.get().facts().claim();
    boolean stays = claim.isTerminal() && !now.get().facts().guarded();
    return stays
        ? Optional.of(ending(claim.name(), now.get().facts().message()))
        : Optional.empty();
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
              "nobody has claimed LifecycleEvent %s yet; is 'drydock agent' running on node %s? Waiting for it.%n",
              asked.facts().ref(), asked.node());
      terminal.err().flush();
    }
  }

  /** The event is gone; its node keeps how it ended. */
  private Ending remembered() {
    KubeAnswer answer = http.send(ApiCall.get(LifecyclePaths.node(asked.node())));
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      return ending("Gone", "node " + asked.node() + " is gone");
    }
    LifecycleNodeObject node = LifecycleNodeObject.read(answer.orThrow("node " + asked.node()));
    return TransitionHistory.read(node.history()).entries().stream()
        .filter(entry -> entry.uid().equals(asked.facts().uid()))
        .findFirst()
        .map(entry -> ending(entry.outcome(), entry.message()))
        .orElseGet(() -> ending("Gone", "it was deleted, and nobody wrote down how it ended"));
  }

  private Ending ending(String outcome, String message) {
    return new Ending(
        asked.node(), asked.facts().ref().name(), asked.facts().transition(), outcome, message);
  }

  @Override
  public void close() {
    watch.close();
  }
}
