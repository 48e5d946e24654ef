package dev.drydock.slingshot.deviceplugin;

import dev.drydock.serve.socket.UnixServer;
import dev.drydock.serve.socket.UnixSockets;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.RegisterRequest;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Where the kubelet listens. */
interface KubeletSocket {
  /** Another kubelet, or the same one after a restart, has another one; empty if none listens. */
  Optional<Object> identity();

  /**
   * Returns when the kubelet has connected to the plugin.
   *
   * @throws StatusRuntimeException if the kubelet refuses, or does not answer
   */
  void register(RegisterRequest request);

  /** A file in the kubelet's folder of device plugins. */
  record InFolder(Path folder) implements KubeletSocket {
    static final String NAME = "kubelet.sock";

    private static final long CALL_SECONDS = 10;

    @Override
    public Optional<Object> identity() {
      try {
        return Optional.of(UnixServer.identity(folder.resolve(NAME)));
      } catch (IOException gone) {
        return Optional.empty();
      }
    }

    @Override
    public void register(RegisterRequest request) {
      ManagedChannel channel = UnixSockets.channel(folder.resolve(NAME));
      try {
        var _ =
            ClientCalls.blockingUnaryCall(
                channel,
                DevicePluginApi.REGISTER,
                CallOptions.DEFAULT.withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS),
                request);
      } finally {
        channel.shutdownNow();
      }
    }
  }
}
