package dev.drydock.drain.engine;

import dev.drydock.drain.engine.decide.PodFacts;
import dev.drydock.drain.hold.DrainApiPaths;
import dev.drydock.drain.hold.DrainNodeObject;
import dev.drydock.drain.hold.HeldNodeView;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Watch;
import dev.drydock.kube.Watch.Kind;
import dev.drydock.kube.Watch.State;
import java.util.Map;
import java.util.Optional;

/** The latest facts about a node that is being drained and the pods on it. */
interface NodeWatches extends AutoCloseable {
  /** Begins to look at the pods. */
  void open();

  /** The node as it was after it was held; from then on it is followed. */
  void held(DrainNodeObject node);

  State<PodFacts> pods();

  State<DrainNodeObject> node();

  @Override
  void close();

  default Optional<DrainNodeObject> latest() {
    return node().items().stream().findFirst();
  }

  /** A watch of the node alone, which begins when it is held. */
  static NodeWatches alone(Kube kube, String node, Runnable wake) {
    Watch<DrainNodeObject> watch =
        kube.watches()
            .of(
                Kind.of(DrainApiPaths.nodeAlone(node), DrainNodeObject::read).optional(),
                Watch.Listener.waking(wake));
    return new Alone(
        kube,
        node,
        new HeldNodeView() {
          @Override
          public void held(DrainNodeObject seen) {
            watch.startFrom(Map.of(seen.uid(), seen), seen.version());
          }

          @Override
          public State<DrainNodeObject> state() {
            return watch.state();
          }

          @Override
          public void close() {
            watch.close();
          }
        },
        wake);
  }

  /** A watch of the node's pods alone, so that memory follows the nodes being drained. */
  final class Alone implements NodeWatches {
    private final Watch<PodFacts> pods;
    private final HeldNodeView node;

    Alone(Kube kube, String name, HeldNodeView node, Runnable wake) {
      this.node = node;
      pods =
          kube.watches()
              .of(
                  Kind.of(DrainApiPaths.podsOn(name), PodReader::read).optional(),
                  Watch.Listener.waking(wake));
    }

    @Override
    public void open() {
      pods.start();
    }

    @Override
    public void held(DrainNodeObject seen) {
      node.held(seen);
    }

    @Override
    public State<PodFacts> pods() {
      return pods.state();
    }

    @Override
    public State<DrainNodeObject> node() {
      return node.state();
    }

    @Override
    public void close() {
      pods.close();
      node.close();
    }
  }
}
