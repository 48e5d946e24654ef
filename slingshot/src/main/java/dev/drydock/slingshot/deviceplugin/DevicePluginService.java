package dev.drydock.slingshot.deviceplugin;

import dev.drydock.contracts.cxi.CXIDriverSpec.SharingMode;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.AllocateRequest;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.AllocateResponse;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.ContainerAllocateRequest;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.ContainerAllocateResponse;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.ContainerPreferredAllocationResponse;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.Device;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.DevicePluginOptions;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.DeviceSpec;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.ListAndWatchResponse;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.NUMANode;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.PreStartContainerResponse;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.PreferredAllocationRequest;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.PreferredAllocationResponse;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.TopologyInfo;
import dev.drydock.slingshot.deviceplugin.decide.Allocation;
import dev.drydock.slingshot.deviceplugin.decide.DeviceUnits;
import dev.drydock.slingshot.deviceplugin.decide.OfferedNic;
import dev.drydock.slingshot.deviceplugin.decide.PreferredAllocation;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers the kubelet by what is offered at the time. */
final class DevicePluginService {
  static final DevicePluginOptions OPTIONS =
      DevicePluginOptions.newBuilder().setGetPreferredAllocationAvailable(true).build();

  private static final Logger LOG = LoggerFactory.getLogger(DevicePluginService.class);
  private static final String CONTAINER_FOLDER = "/dev/";

  private final DeviceOffer offer;
  private final DeviceStreams streams;
  private volatile DeviceUnits units;

  /**
   * How devices are offered.
   *
   * @param capacity units of a network interface that is shared
   * @param numaHints whether the kubelet learns the NUMA nodes
   * @param dev where the kubelet's machine has the device files; in a container they are in /dev
   */
  record DeviceOffer(SharingMode mode, int capacity, boolean numaHints, Path dev) {}

  DevicePluginService(DeviceOffer offer, DeviceStreams streams) {
    this.offer = offer;
    this.streams = streams;
    this.units = new DeviceUnits(offer.mode(), offer.capacity(), List.of());
  }

  /** Tells every kubelet that watches, if something changed. Returns whether it did. */
  boolean offer(List<OfferedNic> nics) {
    units = new DeviceUnits(offer.mode(), offer.capacity(), nics);
    ListAndWatchResponse.Builder list = ListAndWatchResponse.newBuilder();
    units.all().forEach(unit -> list.addDevices(device(unit)));
    return streams.publish(list.build());
  }

  private Device device(DeviceUnits.Unit unit) {
    Device.Builder device =
        Device.newBuilder()
            .setID(unit.id())
            .setHealth(unit.nic().healthy() ? "Healthy" : "Unhealthy");
    if (offer.numaHints() && unit.nic().numaNode() >= 0) {
      device.setTopology(
          TopologyInfo.newBuilder().addNodes(NUMANode.newBuilder().setID(unit.nic().numaNode())));
    }
    return device.build();
  }

  ServerServiceDefinition definition() {
    return ServerServiceDefinition.builder(DevicePluginApi.PLUGIN)
        .addMethod(
            DevicePluginApi.OPTIONS, ServerCalls.asyncUnaryCall((_, to) -> answer(OPTIONS, to)))
        .addMethod(
            DevicePluginApi.LIST_AND_WATCH,
            ServerCalls.asyncServerStreamingCall((_, to) -> streams.add(to)))
        .addMethod(
            DevicePluginApi.PREFERRED,
            ServerCalls.asyncUnaryCall((request, to) -> answer(preferred(request), to)))
        .addMethod(DevicePluginApi.ALLOCATE, ServerCalls.asyncUnaryCall(this::allocate))
        .addMethod(
            DevicePluginApi.PRE_START,
            ServerCalls.asyncUnaryCall(
                (_, to) -> answer(PreStartContainerResponse.getDefaultInstance(), to)))
        .build();
  }

  private static <A> void answer(A answer, StreamObserver<A> to) {
    to.onNext(answer);
    to.onCompleted();
  }

  private PreferredAllocationResponse preferred(PreferredAllocationRequest request) {
    PreferredAllocationResponse.Builder response = PreferredAllocationResponse.newBuilder();
    request
        .getContainerRequestsList()
        .forEach(
            container ->
                response.addContainerResponses(
                    ContainerPreferredAllocationResponse.newBuilder()
                        .addAllDeviceIDs(
                            PreferredAllocation.choose(
                                units,
                                container.getAvailableDeviceIDsList(),
                                container.getMustIncludeDeviceIDsList(),
                                container.getAllocationSize()))));
    return response.build();
  }

  private void allocate(AllocateRequest request, StreamObserver<AllocateResponse> to) {
    DeviceUnits offered = units;
    AllocateResponse.Builder response = AllocateResponse.newBuilder();
    for (ContainerAllocateRequest container : request.getContainerRequestsList()) {
      switch (Allocation.of(offered, container.getDevicesIdsList())) {
        case Allocation.Granted granted -> response.addContainerResponses(container(granted));
        case Allocation.Refused refused -> {
          LOG.warn("refused {}: {}", container.getDevicesIdsList(), refused.reason());
          to.onError(
              Status.INVALID_ARGUMENT.withDescription(refused.reason()).asRuntimeException());
          return;
        }
      }
      LOG.info("allocated {}", container.getDevicesIdsList());
    }
    answer(response.build(), to);
  }

  private ContainerAllocateResponse container(Allocation.Granted granted) {
    ContainerAllocateResponse.Builder response =
        ContainerAllocateResponse.newBuilder().putAllEnvs(granted.environment());
    for (String nic : granted.nics()) {
      response.addDevices(
          DeviceSpec.newBuilder()
              .setContainerPath(CONTAINER_FOLDER + nic)
              .setHostPath(offer.dev().resolve(nic).toString())
              .setPermissions("rw"));
    }
    return response.build();
  }

  /** The network interfaces in an answer that the kubelet has kept. */
  static List<String> nics(ContainerAllocateResponse response) {
    return response.getDevicesList().stream()
        .map(DeviceSpec::getContainerPath)
        .filter(path -> path.startsWith(CONTAINER_FOLDER))
        .map(path -> path.substring(CONTAINER_FOLDER.length()))
        .toList();
  }
}
