package dev.drydock.bench;

import dev.drydock.drain.engine.DrainEstimates;
import dev.drydock.kube.Kube;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Keeps all pods, budgets and Jobs of a cluster up to date, as an operator does: with Drydock's
 * watches or with the client library's informers. Arguments: which of the two, the kubeconfig, and
 * a file that it creates when everything is known. Runs until it is terminated.
 */
final class PodCacheProcess {
  private PodCacheProcess() {}

  public static void main(String[] words) throws IOException, InterruptedException {
    try (KubernetesClient client = BenchCluster.connect(Path.of(words[1]))) {
      if (words[0].equals(Contestant.INFORMERS)) {
        informers(client, Path.of(words[2]));
      } else {
        watches(client, Path.of(words[2]));
      }
    }
  }

  private static void watches(KubernetesClient client, Path known)
      throws IOException, InterruptedException {
    CompletableFuture<Boolean> synced = new CompletableFuture<>();
    try (Kube kube = Kube.of(client)) {
      CompletableFuture<DrainEstimates> made = new CompletableFuture<>();
      DrainEstimates estimates =
          new DrainEstimates(
              kube,
              () -> {
                if (made.isDone() && made.join().unknown().isEmpty()) {
                  synced.complete(true);
                }
              });
      made.complete(estimates);
      estimates.start();
      synced.join();
      Files.createFile(known);
      Thread.currentThread().join();
    }
  }

  private static void informers(KubernetesClient client, Path known)
      throws IOException, InterruptedException {
    List<SharedIndexInformer<? extends HasMetadata>> informers =
        List.of(
            client.resources(Pod.class).inAnyNamespace().runnableInformer(0),
            client.resources(PodDisruptionBudget.class).inAnyNamespace().runnableInformer(0),
            client.resources(Job.class).inAnyNamespace().runnableInformer(0));
    CompletableFuture.allOf(
            informers.stream()
                .map(informer -> informer.start().toCompletableFuture())
                .toArray(CompletableFuture[]::new))
        .join();
    Files.createFile(known);
    Thread.currentThread().join();
  }
}
