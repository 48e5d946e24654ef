package dev.drydock.drain.kube;

import dev.drydock.drain.decide.PodFacts;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Watch;
import dev.drydock.kube.Watch.Kind;
import dev.drydock.kube.Watch.State;
import dev.drydock.kube.time.TimeSource;
import java.util.Map;
import java.util.Optional;

/** What is known, at any moment, of a node that is being drained and of the pods on it. */
interface NodeWatches extends AutoCloseable {
  /** Begins to look at the pods. */
  void open();

  /** The node as it was after it was held; from then on it is followed. */
  void held(DrainNodeObject node);

  State<PodFacts> pods();

  State<DrainNodeObject> node();

  @Override
  void close();

  /** Streams for this node alone, so that memory follows the nodes being drained. */
  static NodeWatches alone(String node, KubeHttp http, Backoff backoff, Runnable wake) {
    return new NodeWatches() {
      private final Watch<PodFacts> pods =
          new Kube(http, TimeSource.REAL)
              .watches()
              .of(
                  Kind.of(DrainApiPaths.podsOn(node), PodReader::read),
                  Watch.Listener.waking(wake),
                  backoff);
      private final Watch<DrainNodeObject> nodes =
          new Kube(http, TimeSource.REAL)
              .watches()
              .of(
                  Kind.of(DrainApiPaths.nodeAlone(node), DrainNodeObject::read),
                  Watch.Listener.waking(wake),
                  backoff);

      @Override
      public void open() {
        pods.start();
      }

      @Override
      public void held(DrainNodeObject seen) {
        nodes.startFrom(Map.of(seen.uid(), seen), seen.version());
      }

      @Override
      public State<PodFacts> pods() {
        return pods.state();
      }

      @Override
      public State<DrainNodeObject> node() {
        return nodes.state();
      }

      @Override
      public void close() {
        pods.close();
        nodes.close();
      }
    };
  }

  default Optional<DrainNodeObject> latest() {
    return node().items().stream().findFirst();
  }
}
