package dev.drydock.slingshot.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.serve.socket.SocketMode;
import dev.drydock.serve.socket.UnixServer;
import dev.drydock.slingshot.driver.PodResourcesMessages.ContainerDevices;
import dev.drydock.slingshot.driver.PodResourcesMessages.ContainerResources;
import dev.drydock.slingshot.driver.PodResourcesMessages.ListPodResourcesResponse;
import dev.drydock.slingshot.driver.PodResourcesMessages.PodResourcesOfPod;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PodResourcesTest {
  @TempDir private Path folder;

  private static PodResourcesOfPod pod(String name, String resource, String... ids) {
    return PodResourcesOfPod.newBuilder()
        .setNamespace("hpc")
        .setName(name)
        .addContainers(ContainerResources.newBuilder().setName("sidecar"))
        .addContainers(
            ContainerResources.newBuilder()
                .setName("main")
                .addDevices(
                    ContainerDevices.newBuilder()
                        .setResourceName(resource)
                        .addAllDeviceIds(List.of(ids))))
        .build();
  }

  private PodResources resources() {
    return new PodResources(folder.resolve("kubelet.sock"), "hpe.com/cxi");
  }

  @Test
  void podsWithDevicesAreNamed() throws IOException {
    ListPodResourcesResponse answer =
        ListPodResourcesResponse.newBuilder()
            .addPodResources(pod("job-2", "hpe.com/cxi", "shared-7"))
            .addPodResources(pod("job-1", "hpe.com/cxi", "cxi0", "cxi1"))
            .addPodResources(pod("other", "nvidia.com/gpu", "gpu0"))
            .addPodResources(pod("none", "hpe.com/cxi"))
            .build();
    ServerServiceDefinition kubelet =
        ServerServiceDefinition.builder("v1.PodResourcesLister")
            .addMethod(
                PodResources.Api.LIST,
                ServerCalls.asyncUnaryCall(
                    (_, observer) -> {
                      observer.onNext(answer);
                      observer.onCompleted();
                    }))
            .build();
    try (UnixServer _ =
        UnixServer.listen(
            folder.resolve("kubelet.sock"), SocketMode.parse("0600"), List.of(kubelet))) {
      assertThat(resources().podsWithDevices()).contains(List.of("hpc/job-1", "hpc/job-2"));
    }
  }

  @Test
  void aKubeletWithoutTheApiIsNoObstacleAndOneThatRefusesIs() throws IOException {
    assertThat(resources().podsWithDevices()).contains(List.of());
    ServerServiceDefinition refusing =
        ServerServiceDefinition.builder("v1.PodResourcesLister")
            .addMethod(
                PodResources.Api.LIST,
                ServerCalls.asyncUnaryCall(
                    (_, observer) -> observer.onError(Status.UNAVAILABLE.asRuntimeException())))
            .build();
    try (UnixServer _ =
        UnixServer.listen(
            folder.resolve("kubelet.sock"), SocketMode.parse("0600"), List.of(refusing))) {
      assertThat(resources().podsWithDevices()).isEmpty();
    }
  }
}
