package dev.drydock.drain.hold;

import static dev.drydock.kube.Fields.name;
import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.HoldDecider;
import dev.drydock.drain.hold.decide.HoldDecider.Owner;
import dev.drydock.drain.hold.decide.HoldDecider.Step;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.Watch;
import dev.drydock.serve.feature.HoldOwner;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
  private final NodeIndex<DrainNodeObject> nodes;
  private final List<HoldOwner> owners;
  private final ControlLoops<String> loops;
  private final List<Watch<HeldBy>> ownerWatches = new ArrayList<>();

  /** Nodes that lost an owner of a hold. */
  private final Set<String> lostOwner = ConcurrentHashMap.newKeySet();

  /** A node that an object may hold. */
  private record HeldBy(String node) {}

  private Runnable stopObserving = () -> {};

  /**
   * @param nodes all of the cluster
   * @param owners kinds of objects that hold nodes
   */
  public HoldController(
      Kube kube, NodeHolds holder, NodeIndex<DrainNodeObject> nodes, List<HoldOwner> owners) {
    this.kube = kube;
    this.holder = holder;
    this.nodes = nodes;
    this.owners = List.copyOf(owners);
    loops = kube.loops("holds", HeldNode::new);
    owners.forEach(owner -> ownerWatches.add(watch(owner)));
  }

  private Watch<HeldBy> watch(HoldOwner owner) {
    return kube.watches()
        .of(
            Watch.Kind.of(
                    owner.resource().all(),
                    object -> new HeldBy(name(object.path("spec"), owner.nodeField())))
                .optional(),
            new Watch.Listener<>() {
              @Override
              public void changed(@Nullable HeldBy before, @Nullable HeldBy after) {
                if (before != null && (after == null || !after.node().equals(before.node()))) {
                  lostOwner.add(before.node());
                  look(before.node());
                }
              }

              @Override
              public void refreshed() {}
            });
  }

  public void start() {
    ownerWatches.forEach(Watch::start);
    stopObserving = nodes.observe(this::look);
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
    stopObserving.run();
    ownerWatches.forEach(Watch::close);
    loops.close();
  }

  private final class HeldNode implements ControlLoops.Reconciler {
    private final String name;
    private String ownersFound = "";
    private @Nullable ApiFailure failed;

    HeldNode(String name) {
      this.name = name;
    }

    @Override
    public Optional<Instant> step() {
      Optional<DrainNodeObject> node =
          nodes.find(name).filter(seen -> seen.holdsText().isPresent());
      return node.map(this::keep);
    }

    /**
     * When to look again, if time alone brings something. Owners are checked once per state of the
     * annotation, and when one is deleted or names another node.
     */
    private Instant keep(DrainNodeObject node) {
      Holds holds = node.holds();
      String text = node.holdsText().orElse("");
      failed = null;
      Map<String, Owner> found = new HashMap<>();
      if (lostOwner.remove(name)) {
        ownersFound = "";
      }
      boolean looked = HoldDecider.dependsOnOwners(holds) && !text.equals(ownersFound);
      if (looked) {
        holds.byHolder().values().forEach(hold -> attempt(() -> find(hold, found)));
      }
      Instant now = kube.clock().instant();
      List<Hold> released = new ArrayList<>();
      List<Hold> outliving = new ArrayList<>();
      for (Step step : HoldDecider.decide(name, holds, found, now)) {
        switch (step) {
          case Step.Drop() -> attempt(() -> holder.observe(name));
          case Step.Expire() -> attempt(() -> holder.expire(name));
          case Step.Release(Hold hold) -> released.add(hold);
          case Step.Disown(Hold hold) -> outliving.add(hold);
        }
      }
      if (!released.isEmpty() || !outliving.isEmpty()) {
        attempt(() -> endOrphans(released, outliving));
      }
      if (failed != null) {
        throw failed;
      }
      ownersFound = looked ? text : ownersFound;
      return HoldDecider.again(holds, now);
    }

    /** The other holds do not wait for one whose request failed; it is tried again at the end. */
    private void attempt(Runnable request) {
      try {
        request.run();
      } catch (ApiFailure failure) {
        failed = failure;
      }
    }

    /** In one patch, so that many of them cost no more than one. */
    private void endOrphans(List<Hold> released, List<Hold> outliving) {
      Stream.concat(released.stream(), outliving.stream())
          .forEach(
              hold ->
                  LOG.info("hold {} on node {}: its owner no longer exists", hold.holder(), name));
      holder.endOrphans(name, released, outliving);
    }

    private void find(Hold hold, Map<String, Owner> found) {
      for (HoldOwner owner : owners) {
        owner
            .path(hold.holder())
            .ifPresent(path -> found.put(hold.holder(), find(hold, owner, path)));
      }
    }

    private Owner find(Hold hold, HoldOwner owner, String path) {
      if (owner.isImpossible(hold.holder())) {
        return new Owner.Gone(owner.keepsHold());
      }
      KubeAnswer answer = kube.http().send(ApiCall.get(path));
      if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
        // If the cluster does not serve the kind, it is unknown whether the owner exists.
        boolean served = !text(answer.body().path("details"), "name").isEmpty();
        return served ? new Owner.Gone(owner.keepsHold()) : new Owner.Unknown();
      }
      JsonNode object = answer.orThrow("owner of hold " + hold.holder());
      return new Owner.Present(
          text(object.path("metadata"), "uid"),
          text(object.path("spec"), owner.nodeField()),
          owner.keepsHold());
    }
  }
}
