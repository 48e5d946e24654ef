package dev.drydock.drain.hold;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.serve.feature.HoldOwner;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes holds that expired, that are void because someone uncordoned the node, or whose owner no
 * longer exists or is for another node. One loop per held node.
 */
public final class HoldController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HoldController.class);

  private final Kube kube;
  private final NodeHolds holder;
  private final AllNodes nodes;
  private final List<HoldOwner> owners;
  private final ControlLoops<String> loops;
  private Runnable stopListening = () -> {};

  public HoldController(Kube kube, NodeHolds holder, AllNodes nodes, List<HoldOwner> owners) {
    this.kube = kube;
    this.holder = holder;
    this.nodes = nodes;
    this.owners = List.copyOf(owners);
    loops = kube.loops("holds", HeldNode::new);
  }

  public void start() {
    stopListening = nodes.listen(this::look);
    nodes.state().items().forEach(node -> look(node.name()));
  }

  /** A node that is not held any more is seen once by its loop, which then ends. */
  private void look(String node) {
    boolean held = nodes.find(node).flatMap(DrainNodeObject::holdsText).isPresent();
    if (held || loops.serves(node)) {
      loops.wake(node);
    }
  }

  @Override
  public void close() {
    stopListening.run();
    loops.close();
  }

  private final class HeldNode implements ControlLoops.Reconciler {
    private final String name;
    private String ownersFound = "";

    HeldNode(String name) {
      this.name = name;
    }

    @Override
    public Optional<Instant> step() {
      Optional<DrainNodeObject> node =
          nodes.find(name).filter(seen -> seen.holdsText().isPresent());
      return node.map(this::keep);
    }

    /** When to look again, if time alone brings something. */
    private Instant keep(DrainNodeObject node) {
      Holds holds = node.holds();
      if (!holds.unschedulable()) {
        var _ = holder.observe(name);
        return Instant.MAX;
      }
      if (holds.nextExpiry().filter(end -> !kube.clock().instant().isBefore(end)).isPresent()) {
        holds = holder.expire(name);
      }
      releaseOrphans(node.holdsText().orElse(""), holds);
      return holds.nextExpiry().orElse(Instant.MAX);
    }

    /**
     * Owners are checked once per state of the annotation; an owner that is deleted later releases
     * its own hold.
     */
    private void releaseOrphans(String text, Holds holds) {
      if (text.equals(ownersFound)) {
        return;
      }
      Optional<ApiFailure> failed = Optional.empty();
      for (Hold hold : List.copyOf(holds.byHolder().values())) {
        try {
          releaseIfOrphan(hold);
        } catch (ApiFailure failure) {
          failed = Optional.of(failure); // the other holds do not wait for this one's owner
        }
      }
      if (failed.isPresent()) {
        throw failed.get();
      }
      ownersFound = text;
    }

    private void releaseIfOrphan(Hold hold) {
      for (HoldOwner owner : owners) {
        Optional<String> path = owner.path(hold.holder());
        if (path.isPresent()
            && (owner.isImpossible(hold.holder()) || isOrphan(hold, owner, path.get()))) {
          end(hold, owner);
        }
      }
    }

    private void end(Hold hold, HoldOwner owner) {
      LOG.info("hold {} on node {}: its owner no longer exists", hold.holder(), name);
      var _ = owner.outlived() ? holder.disown(name, hold) : holder.release(name, hold.holder());
    }

    private boolean isOrphan(Hold hold, HoldOwner owner, String path) {
      KubeAnswer answer = kube.http().send(ApiCall.get(path));
      if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
        // If the cluster does not serve the kind, it is unknown whether the owner exists.
        return !text(answer.body().path("details"), "name").isEmpty();
      }
      JsonNode object = answer.orThrow("owner of hold " + hold.holder());
      return !text(object.path("spec"), owner.nodeField()).equals(name)
          || !hold.mayBeOf(text(object.path("metadata"), "uid"));
    }
  }
}
