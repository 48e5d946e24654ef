package dev.drydock.slingshot.deviceplugin;

import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.LoopFactory;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.socket.UnixServer;
import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.RegisterRequest;
import dev.drydock.slingshot.deviceplugin.decide.RegistrationStep;
import io.grpc.ServerServiceDefinition;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the plugin known to its kubelet. A kubelet that starts removes all sockets in its folder
 * and forgets its plugins, so the plugin listens and registers again.
 */
final class KubeletRegistration implements AutoCloseable {
  static final String SOCKET = "cxi-plugin.sock";

  private static final Logger LOG = LoggerFactory.getLogger(KubeletRegistration.class);

  private final Path folder;
  private final KubeletSocket kubelet;
  private final String resource;
  private final ServerServiceDefinition service;
  private final DeviceStreams streams;
  private final TimeSource time;
  private final ControlLoop loop;
  private @Nullable UnixServer server;
  private @Nullable Answered answered;
  private RegistrationStep.@Nullable Failure failure;
  private volatile String waitsFor = "the plugin starts";
  private volatile boolean started;
  private boolean closed;

  /** A call that the kubelet answered, and how many streams there were before it. */
  private record Answered(Object kubelet, Duration at, long streams) {}

  /**
   * @param folder of the kubelet, where the plugin's socket has to be
   */
  KubeletRegistration(
      LoopFactory loops,
      Path folder,
      KubeletSocket kubelet,
      String resource,
      ServerServiceDefinition service,
      DeviceStreams streams) {
    this.folder = folder;
    this.kubelet = kubelet;
    this.resource = resource;
    this.service = service;
    this.streams = streams;
    this.time = loops.time();
    this.loop = loops.loop("cxi-registration", this::step);
  }

  /** The devices are known: registers from now on. */
  void start() {
    if (!started) {
      started = true;
      loop.wake();
    }
  }

  /** Something in the folder, or a stream, has changed. */
  void wake() {
    if (started) {
      loop.wake();
    }
  }

  /** Why the kubelet does not know the plugin, if so. */
  Optional<String> unready() {
    String reason = waitsFor;
    return reason.isEmpty() ? Optional.empty() : Optional.of(reason);
  }

  private synchronized Instant step() {
    if (closed) {
      return Instant.MAX;
    }
    Optional<Object> called = kubelet.identity();
    RegistrationStep.View view =
        new RegistrationStep.View(socket(), called.orElse(null), registration(), failure);
    return switch (RegistrationStep.of(view, time.elapsed())) {
      case RegistrationStep.Listen _ -> {
        listen();
        yield time.now();
      }
      case RegistrationStep.Register register -> {
        register(called.orElseThrow(), register.reason());
        yield time.now();
      }
      case RegistrationStep.Wait wait -> {
        waits(wait.reason());
        yield time.now().plus(wait.most());
      }
      case RegistrationStep.Registered registered -> {
        waitsFor = "";
        yield registered.lookAgain().map(time.now()::plus).orElse(Instant.MAX);
      }
    };
  }

  private void waits(String reason) {
    if (!waitsFor.equals(reason)) {
      LOG.warn("{}: {}", folder, reason);
    }
    waitsFor = reason;
  }

  private RegistrationStep.Socket socket() {
    if (server == null || server.isSocketGone()) {
      return RegistrationStep.Socket.GONE;
    }
    return server.isSocketReplaced()
        ? RegistrationStep.Socket.REPLACED
        : RegistrationStep.Socket.OURS;
  }

  private RegistrationStep.@Nullable Registration registration() {
    return answered == null
        ? null
        : new RegistrationStep.Registration(
            answered.kubelet(), answered.at(), streams.after(answered.streams()));
  }

  /** The new socket first; whoever uses the old one has to register it again anyway. */
  private void listen() {
    UnixServer before = server;
    answered = null;
    waitsFor = "the kubelet does not know the plugin's new socket yet";
    try {
      server = UnixServer.listen(folder.resolve(SOCKET), List.of(service));
    } catch (IOException unusable) {
      throw new SocketUnusable(String.valueOf(unusable.getMessage()));
    }
    if (before != null) {
      streams.end();
      before.close();
    }
  }

  private void register(Object called, String reason) {
    long before = streams.count();
    try {
      kubelet.register(
          RegisterRequest.newBuilder()
              .setVersion(DevicePluginApi.VERSION)
              .setEndpoint(SOCKET)
              .setResourceName(resource)
              .setOptions(DevicePluginService.OPTIONS)
              .build());
      LOG.info("registered {}: {}", resource, reason);
      answered = new Answered(called, time.elapsed(), before);
      failure = null;
    } catch (StatusRuntimeException refused) {
      int times = failure != null && failure.kubelet().equals(called) ? failure.times() : 0;
      if (times == 0) {
        LOG.warn("the kubelet does not register {}: {}", resource, refused.getStatus());
      }
      failure = new RegistrationStep.Failure(called, times + 1, time.elapsed());
    }
  }

  /** The kubelet learns that the plugin is gone, and the socket goes. */
  @Override
  public void close() {
    loop.close();
    synchronized (this) {
      closed = true;
      waitsFor = "the plugin is being stopped";
      streams.end();
      if (server != null) {
        server.close();
      }
    }
  }
}
