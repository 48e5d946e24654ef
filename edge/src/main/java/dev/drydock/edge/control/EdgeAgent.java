package dev.drydock.edge.control;

import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.stop.AndonCord;
import dev.drydock.drain.stop.PresenceLease;
import dev.drydock.drain.stop.StopWitnesses;
import dev.drydock.edge.decide.ClusterMembership;
import dev.drydock.edge.decide.EdgeDrain;
import dev.drydock.edge.record.FileOperations;
import dev.drydock.edge.record.ProcessView;
import dev.drydock.edge.record.PublishedFiles;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Election.LeaseSettings;
import dev.drydock.kube.Kube;
import dev.drydock.kube.ObjectName;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Drains the node of one machine before it is rebooted, shut down or updated. It talks to other
 * programs by files, so that it works without an API server, too.
 */
public final class EdgeAgent implements AutoCloseable {
  static final Duration BOOT_LOOK = Duration.ofSeconds(15);

  private final EdgeContext context;
  private final ProcessView processes;
  private final EdgeDrainTurn turn;
  private final EdgeApi api;
  private final EdgeDrainController drains;
  private final EdgeOperationController operations;
  private final NodeAgentFile nodeAgent;
  private final EdgeBootController boot;
  private final LeavingController leaving;
  private final StorageReporter storage;
  private final ControlLoop loop;
  private final PresenceLease presence;
  private volatile OptionalInt nodes = OptionalInt.empty();
  private volatile boolean removed;
  private ClusterMembership membership;

  /**
   * What an agent needs from its machine.
   *
   * @param bootId of the machine's present boot
   */
  public record Machine(
      FileOperations files, OperationRunner runner, String bootId, ProcessView processes) {}

  /** The {@link Kube} stays the caller's. */
  public EdgeAgent(Kube kube, EdgeAgentSettings settings, Machine machine, EdgeJournal journal) {
    PublishedFiles published = new PublishedFiles(machine.files());
    context =
        new EdgeContext(
            settings,
            kube,
            new DrainEngine(
                kube,
                DrainEngine.Options.DEFAULT.withEvictionLabels(
                    Map.of(LifecycleNames.EVICTED_BY, "agent"))),
            published,
            new EdgeFiles(settings.paths(), published, journal::warn),
            journal,
            machine.bootId());
    processes = machine.processes();
    // the agents' policy lets a node take the turn for itself only
    turn = new EdgeDrainTurn(kube, settings.node() + "_" + settings.identity(), this::wake);
    api = new EdgeApi(context, turn);
    context.files().removeUnfinished();
    context.files().removeForce(); // what a person forced was meant for an earlier process
    context.files().withdrawRequestsOfEarlierBoot(machine.bootId());
    drains = new EdgeDrainController(context, turn, api, this::wake);
    operations = new EdgeOperationController(context, drains, api, machine.runner(), this::wake);
    nodeAgent = new NodeAgentFile(context);
    membership = context.files().membership(machine.bootId());
    boot = new EdgeBootController(context, api, drains, this::counted);
    leaving = new LeavingController(context, api, this::nodeRemoved);
    storage = new StorageReporter(context, api, drains);
    loop = kube.loop("edge", settings.node(), this::step);
    presence =
        new PresenceLease(
            kube,
            LeaseSettings.ofNode(
                StopWitnesses.AGENT_NAMESPACE, lease(settings.node()), settings.identity()),
            settings.cordNamespace());
  }

  /** The Lease by which {@code drydock stop} finds the agent. */
  public static String lease(String node) {
    return ObjectName.of(StopWitnesses.EDGE_LEASE + node);
  }

  public void start() {
    new AndonCord(context.kube(), context.settings().cordNamespace())
        .govern(context.engine(), this::wake);
    presence.start();
    loop.wake();
    boot.start();
  }

  /** Something may have changed in the files. */
  public void wake() {
    loop.wake();
  }

  private void counted(int number) {
    nodes = OptionalInt.of(number);
    wake();
  }

  private void nodeRemoved() {
    removed = true;
    wake();
  }

  private Instant step() {
    operations.hear();
    context.files().takeAsked(processes, context.bootId());
    if (context.files().isCancelled()) {
      operations.cancelAll();
      context.files().forgetRefused();
    }
    know();
    Instant drained =
        drains.proceed(
            membership,
            operations.isDeferred(),
            context.files().settings(context.settings().settingsFile()));
    context.files().takeIgnoredForces().forEach(api::tellOfIgnoredForce);
    Instant done = operations.proceed(membership);
    storage.look();
    nodeAgent.publish(drains.drain(), context.files().operations());
    context.journal().now(drains.drain(), operations.deferred());
    Instant next = drained.isBefore(done) ? drained : done;
    Instant poll = context.kube().time().now().plus(context.settings().poll());
    return next.isBefore(poll) ? next : poll;
  }

  private void know() {
    ClusterMembership now =
        membership.next(context.settings().clustered(), context.files().clusterConfig(), nodes);
    if (now.left() && removed) {
      removed = false;
      now = now.gone();
    }
    if (!now.equals(membership)) {
      context.files().store(now, context.bootId());
      membership = now;
    }
    if (membership.left()) {
      leaving.leave();
    }
  }

  /** The drain as it is now. */
  public EdgeDrain drain() {
    return drains.drain();
  }

  /** Stops; the next process goes on. */
  @Override
  public void close() {
    loop.close();
    presence.close();
    boot.close();
    leaving.close();
    storage.close();
    drains.close();
    api.close();
    turn.close();
    context.engine().close();
  }
}
