package dev.drydock.slurm.bridge;

import dev.drydock.slurm.bridge.decide.SlurmNode;
import dev.drydock.slurm.bridge.decide.SlurmView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A Slurm that keeps its nodes' states in memory. */
final class FakeSlurm implements SlurmApi {
  private final Map<String, SlurmNode> nodes = new TreeMap<>();
  private final Map<String, Instant> jobs = new TreeMap<>();
  final AtomicInteger changes = new AtomicInteger();
  Optional<String> failure = Optional.empty();
  Runnable onLook = () -> {};
  Runnable onResume = () -> {};

  void node(String name) {
    nodes.put(name, new SlurmNode(name, List.of("IDLE"), ""));
  }

  void drainedBySomebody(String name, String reason) {
    set(name, true, reason);
  }

  /** Null if it has ended. */
  void job(String node, Optional<Instant> end) {
    end.ifPresentOrElse(time -> jobs.put(node, time), () -> jobs.remove(node));
    set(node, node(nodes.get(node)).isDrain(), node(nodes.get(node)).reason());
  }

  private static SlurmNode node(@Nullable SlurmNode node) {
    if (node == null) {
      throw new SlurmFailure("Slurm: Invalid node name specified");
    }
    return node;
  }

  boolean isDrain(String name) {
    return node(nodes.get(name)).isDrain();
  }

  String reason(String name) {
    return node(nodes.get(name)).reason();
  }

  private void set(String name, boolean drain, String reason) {
    String base = jobs.containsKey(name) ? "ALLOCATED" : "IDLE";
    nodes.put(name, new SlurmNode(name, drain ? List.of(base, "DRAIN") : List.of(base), reason));
  }

  private void answer() {
    if (failure.isPresent()) {
      throw new SlurmFailure(failure.get());
    }
  }

  @Override
  public SlurmView.Seen look() {
    onLook.run();
    answer();
    return new SlurmView.Seen(nodes, jobs);
  }

  @Override
  public void drain(String node, String reason) {
    answer();
    changes.incrementAndGet();
    var _ = node(nodes.get(node));
    set(node, true, reason);
  }

  @Override
  public void resume(String node) {
    answer();
    changes.incrementAndGet();
    if (!node(nodes.get(node)).isDrain()) {
      throw new SlurmFailure("Slurm: Invalid node state specified");
    }
    set(node, false, reason(node));
    onResume.run();
  }
}
