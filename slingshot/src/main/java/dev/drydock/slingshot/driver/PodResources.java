package dev.drydock.slingshot.driver;

import dev.drydock.serve.socket.UnixSockets;
import dev.drydock.slingshot.driver.PodResourcesMessages.ListPodResourcesRequest;
import dev.drydock.slingshot.driver.PodResourcesMessages.ListPodResourcesResponse;
import dev.drydock.slingshot.driver.PodResourcesMessages.PodResourcesOfPod;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the kubelet which pods of its node have devices. */
final class PodResources implements DeviceUsers {
  private static final Logger LOG = LoggerFactory.getLogger(PodResources.class);
  private static final int SECONDS = 10;
  private static final int LARGEST_ANSWER = 16 << 20;

  /** A class of its own: most agents never call the kubelet, and need not load what calls it. */
  static final class Api {
    static final MethodDescriptor<ListPodResourcesRequest, ListPodResourcesResponse> LIST =
        MethodDescriptor.<ListPodResourcesRequest, ListPodResourcesResponse>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("v1.PodResourcesLister/List")
            .setRequestMarshaller(
                ProtoUtils.marshaller(ListPodResourcesRequest.getDefaultInstance()))
            .setResponseMarshaller(
                ProtoUtils.marshaller(ListPodResourcesResponse.getDefaultInstance()))
            .build();

    private Api() {}
  }

  private final Path socket;
  private final String resource;

  /**
   * @param resource whose devices are NICs, e.g. {@code hpe.com/cxi}
   */
  PodResources(Path socket, String resource) {
    this.socket = socket;
    this.resource = resource;
  }

  @Override
  public Optional<List<String>> podsWithDevices() {
    if (!Files.exists(socket)) {
      LOG.warn("{} does not exist: only processes with open devices are seen", socket);
      return Optional.of(List.of());
    }
    ManagedChannel channel =
        UnixSockets.channel(socket, MetadataUtils.newAttachHeadersInterceptor(new Metadata()));
    try {
      ListPodResourcesResponse answer =
          ClientCalls.blockingUnaryCall(
              channel,
              Api.LIST,
              CallOptions.DEFAULT
                  .withDeadlineAfter(SECONDS, TimeUnit.SECONDS)
                  .withMaxInboundMessageSize(LARGEST_ANSWER),
              ListPodResourcesRequest.getDefaultInstance());
      return Optional.of(
          answer.getPodResourcesList().stream()
              .filter(this::hasDevice)
              .map(pod -> pod.getNamespace() + "/" + pod.getName())
              .sorted()
              .toList());
    } catch (StatusRuntimeException failed) {
      LOG.warn("the kubelet does not say which pods have devices: {}", failed.getMessage());
      return Optional.empty();
    } finally {
      channel.shutdownNow();
    }
  }

  private boolean hasDevice(PodResourcesOfPod pod) {
    return pod.getContainersList().stream()
        .flatMap(container -> container.getDevicesList().stream())
        .filter(devices -> devices.getResourceName().equals(resource))
        .anyMatch(devices -> devices.getDeviceIdsCount() > 0);
  }
}
