package dev.drydock.testbed.realkubelet;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Pods for one node in one namespace, each with a single container that runs a shell script. */
record TestPods(KubernetesClient client, String namespace, String nodeName) {
  /** Keeps a deleted pod's object, so that its last status can be read. */
  static final String KEEP = "drydock.dev/keep";

  Pod create(String name, String script) {
    return client.resource(pod(name, script)).create();
  }

  /** Runs the image's default command. */
  Pod createOf(ContainerImage image, String name) {
    Pod pod = pod(name, "");
    pod.getSpec().getContainers().getFirst().setImage(image.name());
    pod.getSpec().getContainers().getFirst().setCommand(List.of());
    return client.resource(pod).create();
  }

  Pod createKept(String name, String script, long graceSeconds) {
    return client
        .resource(
            pod(name, script)
                .edit()
                .editMetadata()
                .addToFinalizers(KEEP)
                .endMetadata()
                .editSpec()
                .withTerminationGracePeriodSeconds(graceSeconds)
                .endSpec()
                .build())
        .create();
  }

  Pod await(String name, Predicate<Pod> condition) {
    return client
        .pods()
        .inNamespace(namespace)
        .withName(name)
        .waitUntilCondition(pod -> pod != null && condition.test(pod), 180, TimeUnit.SECONDS);
  }

  ContainerStateTerminated awaitEnd(String name) {
    Pod ended =
        await(
            name,
            pod ->
                pod.getStatus().getContainerStatuses().stream()
                    .anyMatch(status -> status.getState().getTerminated() != null));
    return ended.getStatus().getContainerStatuses().getFirst().getState().getTerminated();
  }

  void delete(String name) {
    client.pods().inNamespace(namespace).withName(name).delete();
  }

  void release(String name) {
    client
        .pods()
        .inNamespace(namespace)
        .withName(name)
        // without a resourceVersion: the kubelet may be writing the status right now
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
  }

  private Pod pod(String name, String script) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(namespace)
        .endMetadata()
        .withNewSpec()
        .withNodeName(nodeName)
        .withRestartPolicy("Never")
        .addNewContainer()
        .withName("main")
        .withImage(ContainerImage.BUSYBOX)
        .withImagePullPolicy("Never")
        .withCommand("sh", "-c", script)
        .endContainer()
        .endSpec()
        .build();
  }
}
