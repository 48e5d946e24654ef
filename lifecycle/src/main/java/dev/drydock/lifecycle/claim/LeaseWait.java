package dev.drydock.lifecycle.claim;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Kube;
import dev.drydock.kube.StepObjects;
import dev.drydock.lifecycle.api.LifecycleEventObject;
import dev.drydock.lifecycle.api.LifecycleEventWriter;
import dev.drydock.lifecycle.api.LifecycleNodeCaches;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says on a node's pending events that its agent cannot get the Lease and so claims none, as far as
 * the agent may write to them.
 */
public final class LeaseWait implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseWait.class);
  private static final String LOOP = "claimer-lease";
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(10);

  private final Kube kube;
  private final String node;
  private final LifecycleNodeCaches caches;
  private final Supplier<Optional<String>> problem;
  private final LifecycleEventWriter writer;
  private final ControlLoop loop;
  private final StepObjects turns;
  private Runnable unsubscribe = () -> {};

  /**
   * @param problem why the Lease cannot be had at present, if so
   */
  public LeaseWait(
      Kube kube, String node, LifecycleNodeCaches caches, Supplier<Optional<String>> problem) {
    this.kube = kube;
    this.node = node;
    this.caches = caches;
    this.problem = problem;
    writer = new LifecycleEventWriter(kube.http());
    loop = kube.loop(LOOP, node, this::step);
    turns = kube.stepObjects(LOOP);
  }

  public void start() {
    unsubscribe = caches.onChange(loop::wake);
    loop.wake();
  }

  private Instant step() {
    problem
        .get()
        .map(
            why ->
                "waits for the agent of node %s, which cannot get its Lease: %s"
                    .formatted(node, why))
        .ifPresent(
            words ->
                caches.events().stream()
                    .filter(event -> event.facts().claim() == ClaimStatus.Pending)
                    .filter(event -> !event.facts().deleting())
                    .filter(event -> !event.facts().message().equals(words))
                    .forEach(event -> writeMessage(event, words)));
    return turns.done(kube.clock().instant().plus(BETWEEN_LOOKS));
  }

  private void writeMessage(LifecycleEventObject event, String words) {
    var _ = turns.run(event.facts().ref().toString(), () -> tryWriteMessage(event, words));
  }

  private void tryWriteMessage(LifecycleEventObject event, String words) {
    try {
      var _ = writer.writeMessage(event, words);
    } catch (ApiFailure refused) {
      // whoever may not have the Lease may often not write to events either
      LOG.debug("LifecycleEvent {}: {}", event.facts().ref(), refused.getMessage());
    }
  }

  @Override
  public void close() {
    unsubscribe.run();
    loop.close();
    turns.close();
  }
}
