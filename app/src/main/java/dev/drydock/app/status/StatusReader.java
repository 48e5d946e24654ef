package dev.drydock.app.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.command.ExistenceCheck;
import dev.drydock.drain.command.NodeArguments;
import dev.drydock.drain.kube.AndonCord;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Source;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads the cluster once. Nodes must be readable; other kinds that are not installed or may not be
 * read are noted and left out.
 */
final class StatusReader {
  private final KubeHttp http;
  private final AndonCord cord;

  /** The objects of a kind, and why some are missing. */
  private record Part<T>(List<T> found, Optional<String> note) {}

  StatusReader(KubeHttp http, AndonCord cord) {
    this.http = http;
    this.cord = cord;
  }

  StatusSnapshot at(NodeArguments wanted) {
    CompletableFuture<Part<NotifyMaintenanceObject>> maintenances =
        meanwhile(
            () ->
                list(
                    "NotifyMaintenances",
                    StatusSources.MAINTENANCES,
                    NotifyMaintenanceObject::read));
    CompletableFuture<Part<DrainRequestSnapshot>> drains =
        meanwhile(() -> list("DrainRequests", StatusSources.DRAINS, DrainRequestSnapshot::read));
    CompletableFuture<Part<String>> stopped = meanwhile(this::stopped);
    List<NodeSnapshot> nodes = nodes(wanted);
    List<String> notes = new ArrayList<>();
    maintenances.join().note().ifPresent(notes::add);
    drains.join().note().ifPresent(notes::add);
    stopped.join().note().ifPresent(notes::add);
    return new StatusSnapshot(
        nodes,
        maintenances.join().found(),
        drains.join().found(),
        stopped.join().found().stream().findFirst(),
        notes);
  }

  private static <T> CompletableFuture<T> meanwhile(Supplier<T> work) {
    return CompletableFuture.supplyAsync(work, Thread::startVirtualThread)
        .exceptionally(
            failed -> {
              throw failed instanceof CompletionException wrapped
                      && wrapped.getCause() instanceof ApiFailure failure
                  ? failure
                  : new CompletionException(failed);
            });
  }

  private List<NodeSnapshot> nodes(NodeArguments wanted) {
    if (!wanted.names().isEmpty()) {
      return new ExistenceCheck(http)
          .requireNodes(wanted.names()).stream().map(NodeSnapshot::read).toList();
    }
    List<NodeSnapshot> nodes = new ArrayList<>();
    var _ =
        http.list(
                StatusSources.nodes(wanted.selector()), node -> nodes.add(NodeSnapshot.read(node)))
            .orThrow("list of nodes");
    if (nodes.isEmpty() && wanted.selector() != null) {
      throw NodeArguments.nothingSelected(wanted.selector());
    }
    return nodes;
  }

  private <T> Part<T> list(String what, Source source, Function<JsonNode, T> reader) {
    List<T> found = new ArrayList<>();
    KubeAnswer answer = http.list(source, object -> found.add(reader.apply(object)));
    return switch (answer.code()) {
      case HttpURLConnection.HTTP_NOT_FOUND -> new Part<>(found, Optional.of(notInstalled(what)));
      case HttpURLConnection.HTTP_FORBIDDEN ->
          new Part<>(found, Optional.of(what + " are not shown: " + answer.message()));
      default -> {
        var _ = answer.orThrow("list of " + what);
        yield new Part<>(found, Optional.empty());
      }
    };
  }

  static String notInstalled(String what) {
    return what + " are not installed; to install them: drydock crds | kubectl apply -f -";
  }

  private Part<String> stopped() {
    try {
      return new Part<>(cord.read().map(Object::toString).stream().toList(), Optional.empty());
    } catch (ApiFailure failure) {
      if (failure.code() != HttpURLConnection.HTTP_FORBIDDEN) {
        throw failure;
      }
      return new Part<>(
          List.of(),
          Optional.of("cannot check whether 'drydock stop' was run: " + failure.getMessage()));
    }
  }
}
