package dev.drydock.slingshot.deviceplugin;

import com.google.protobuf.Message;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.AllocateRequest;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.AllocateResponse;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.DevicePluginOptions;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.Empty;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.ListAndWatchResponse;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.PreStartContainerRequest;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.PreStartContainerResponse;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.PreferredAllocationRequest;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.PreferredAllocationResponse;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.RegisterRequest;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.protobuf.ProtoUtils;

/** The calls between a kubelet and a device plugin. */
public final class DevicePluginApi {
  static final String VERSION = "v1beta1";

  /** The kubelet's service. */
  public static final String REGISTRATION = VERSION + ".Registration";

  static final String PLUGIN = VERSION + ".DevicePlugin";

  public static final MethodDescriptor<RegisterRequest, Empty> REGISTER =
      method(
          MethodType.UNARY,
          REGISTRATION + "/Register",
          RegisterRequest.getDefaultInstance(),
          Empty.getDefaultInstance());

  static final MethodDescriptor<Empty, DevicePluginOptions> OPTIONS =
      method(
          MethodType.UNARY,
          PLUGIN + "/GetDevicePluginOptions",
          Empty.getDefaultInstance(),
          DevicePluginOptions.getDefaultInstance());

  public static final MethodDescriptor<Empty, ListAndWatchResponse> LIST_AND_WATCH =
      method(
          MethodType.SERVER_STREAMING,
          PLUGIN + "/ListAndWatch",
          Empty.getDefaultInstance(),
          ListAndWatchResponse.getDefaultInstance());

  static final MethodDescriptor<PreferredAllocationRequest, PreferredAllocationResponse> PREFERRED =
      method(
          MethodType.UNARY,
          PLUGIN + "/GetPreferredAllocation",
          PreferredAllocationRequest.getDefaultInstance(),
          PreferredAllocationResponse.getDefaultInstance());

  static final MethodDescriptor<AllocateRequest, AllocateResponse> ALLOCATE =
      method(
          MethodType.UNARY,
          PLUGIN + "/Allocate",
          AllocateRequest.getDefaultInstance(),
          AllocateResponse.getDefaultInstance());

  static final MethodDescriptor<PreStartContainerRequest, PreStartContainerResponse> PRE_START =
      method(
          MethodType.UNARY,
          PLUGIN + "/PreStartContainer",
          PreStartContainerRequest.getDefaultInstance(),
          PreStartContainerResponse.getDefaultInstance());

  private DevicePluginApi() {}

  private static <Q extends Message, A extends Message> MethodDescriptor<Q, A> method(
      MethodType type, String name, Q request, A response) {
    return MethodDescriptor.<Q, A>newBuilder()
        .setType(type)
        .setFullMethodName(name)
        .setRequestMarshaller(ProtoUtils.marshaller(request))
        .setResponseMarshaller(ProtoUtils.marshaller(response))
        .build();
  }
}
