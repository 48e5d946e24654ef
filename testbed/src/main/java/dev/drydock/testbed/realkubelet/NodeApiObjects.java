package dev.drydock.testbed.realkubelet;

import dev.drydock.testbed.TestbedException;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The API objects of one node: the Node and its Pods. */
record NodeApiObjects(KubernetesClient client, String nodeName) {
  private static final long READY_SECONDS = 60;
  private static final long PODS_GONE_SECONDS = 15;

  /** Waits for Ready; fails as soon as the process ends. */
  void awaitReady(Process process, Path folder) throws IOException {
    CompletableFuture<List<Node>> ready =
        client
            .nodes()
            .withName(nodeName)
            .informOnCondition(nodes -> nodes.stream().anyMatch(Readiness.getInstance()::isReady));
    try {
      CompletableFuture.anyOf(ready, process.onExit()).get(READY_SECONDS, TimeUnit.SECONDS);
      if (!process.isAlive()) {
        throw new TestbedException(
            "node %s ended before it was Ready: %s"
                .formatted(nodeName, lastLine(folder.resolve("node.log"))));
      }
    } catch (TimeoutException e) {
      throw new TestbedException(
          "node %s is not Ready after %d s: %s"
              .formatted(nodeName, READY_SECONDS, lastLine(folder.resolve("kubelet.log"))),
          e);
    } catch (ExecutionException e) {
      throw new TestbedException("cannot watch node " + nodeName, e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted while node %s starts".formatted(nodeName), e);
    } finally {
      ready.cancel(true);
    }
  }

  /** Cordons the node and deletes its pods while its kubelet can still stop them. */
  void deletePods() {
    if (client.nodes().withName(nodeName).get() == null) {
      return;
    }
    client
        .nodes()
        .withName(nodeName)
        // without a resourceVersion: the kubelet may be writing the status right now
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"unschedulable\":true}}");
    pods().withGracePeriod(1).delete();
    CompletableFuture<List<Pod>> gone = pods().informOnCondition(List::isEmpty);
    try {
      gone.get(PODS_GONE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      // a finalizer, or a controller that recreates them: the remaining pods end with the node
    } catch (ExecutionException e) {
      throw new TestbedException("cannot watch the pods of node " + nodeName, e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      // the caller must stop the node in any case
    } finally {
      gone.cancel(true);
    }
  }

  /** Deletes the Node when none of its processes run any more. */
  void deleteNode() {
    pods().withGracePeriod(0).delete();
    client.nodes().withName(nodeName).delete();
  }

  private FilterWatchListDeletable<Pod, ?, PodResource> pods() {
    return client.pods().inAnyNamespace().withField("spec.nodeName", nodeName);
  }

  private static String lastLine(Path log) throws IOException {
    List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
    return lines.isEmpty() ? "it logged nothing" : lines.getLast();
  }
}
