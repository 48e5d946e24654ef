package dev.drydock.health.command;

import static dev.drydock.kube.Fields.text;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.KubeConnection;
import dev.drydock.drain.stop.StopWitnesses;
import dev.drydock.health.eventlog.EventLogClient;
import dev.drydock.health.operator.HealthSettings;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Resource;
import io.fabric8.kubernetes.client.LocalPortForward;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The events of a running operator. One in a pod is reached through the API server, as {@code
 * kubectl port-forward} does, because it shows events only inside its pod.
 */
final class OperatorEvents implements AutoCloseable {
  private final String address;
  private final EventLogClient client;
  private final @Nullable LocalPortForward forward;

  private OperatorEvents(String address, @Nullable LocalPortForward forward) {
    this.address = address;
    this.forward = forward;
    try {
      client = new EventLogClient(address);
    } catch (IOException unusable) {
      throw new CommandFailure(String.valueOf(unusable.getMessage()), unusable);
    }
  }

  /** The events of the operator at HOST:PORT. */
  static OperatorEvents at(String address) {
    return new OperatorEvents(address, null);
  }

  /**
   * The events of the operator that leads in this namespace; on this machine if it runs in no pod.
   */
  static OperatorEvents of(KubeConnection connection, String namespace) {
    try (Kube kube = Kube.of(connection.client())) {
      Optional<String> pod =
          kube.http()
              .find(Resource.LEASES, namespace, StopWitnesses.OPERATOR_LEASE)
              .map(lease -> text(lease.path("spec"), "holderIdentity"))
              .map(OperatorEvents::host)
              .filter(name -> kube.http().find(Resource.PODS, namespace, name).isPresent());
      if (pod.isEmpty()) {
        return at("127.0.0.1:" + HealthSettings.LOG_PORT);
      }
      LocalPortForward forward =
          connection
              .client()
              .pods()
              .inNamespace(namespace)
              .withName(pod.get())
              .portForward(HealthSettings.LOG_PORT);
      return new OperatorEvents("127.0.0.1:" + forward.getLocalPort(), forward);
    }
  }

  /** A process in a pod is called POD_UID there. */
  private static String host(String identity) {
    return identity.substring(0, Math.max(0, identity.lastIndexOf('_')));
  }

  void read(Optional<String> node, Optional<Instant> since, Consumer<StoredEvent> events) {
    calling(() -> client.read(node, since, events));
  }

  void watch(Optional<String> node, Optional<Instant> since, Predicate<StoredEvent> events) {
    calling(() -> client.watch(node, since, events));
  }

  @FunctionalInterface
  private interface Call {
    void run() throws IOException;
  }

  private void calling(Call call) {
    try {
      call.run();
    } catch (StatusRuntimeException failed) {
      throw new CommandFailure(line(failed.getStatus()), failed);
    } catch (IOException malformed) {
      throw new CommandFailure("%s: %s".formatted(address, malformed.getMessage()), malformed);
    }
  }

  private String line(Status status) {
    return switch (status.getCode()) {
      case UNAVAILABLE ->
          "no operator with part ingest answers at %s; see --operator-namespace and --address, or read a folder or a file with --from"
              .formatted(address);
      case CANCELLED ->
          "the operator at %s has stopped; when it runs again, repeat the command"
              .formatted(address);
      default -> "%s: %s".formatted(address, status.getDescription());
    };
  }

  @Override
  public void close() {
    client.close();
    if (forward != null) {
      try {
        forward.close();
      } catch (IOException _) {
        // the connection is gone already
      }
    }
  }
}
