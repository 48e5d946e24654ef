package dev.drydock.app.status;

import dev.drydock.cli.CrdInstall;
import dev.drydock.drain.command.ExistenceCheck;
import dev.drydock.drain.command.NodeArguments;
import dev.drydock.drain.stop.AndonCord;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.serve.feature.Features;
import dev.drydock.serve.feature.StatusEntry;
import dev.drydock.serve.feature.StatusPart;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.Collectors;

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
    List<CompletableFuture<Part<StatusEntry>>> parts =
        Features.load().status().stream().map(part -> meanwhile(() -> list(part))).toList();
    CompletableFuture<Part<String>> stopped = meanwhile(this::stopped);
    List<NodeSnapshot> nodes = nodes(wanted);
    List<String> notes = new ArrayList<>();
    List<StatusEntry> entries = new ArrayList<>();
    for (CompletableFuture<Part<StatusEntry>> part : parts) {
      part.join().note().ifPresent(notes::add);
      entries.addAll(part.join().found());
    }
    stopped.join().note().ifPresent(notes::add);
    if (wanted.none()) {
      notes.addAll(withoutNode(nodes, entries));
    }
    return new StatusSnapshot(nodes, entries, stopped.join().found().stream().findFirst(), notes);
  }

  /** Those would appear in no line, because lines are about nodes. */
  static List<String> withoutNode(List<NodeSnapshot> nodes, List<StatusEntry> entries) {
    Set<String> there = nodes.stream().map(NodeSnapshot::name).collect(Collectors.toSet());
    return entries.stream()
        .filter(entry -> entry.task().isPresent() && !there.contains(entry.node()))
        .map(
            entry ->
                "%s %s/%s is for node %s, which does not exist"
                    .formatted(
                        entry.kind(),
                        entry.task().get().namespace(),
                        entry.task().get().name(),
                        entry.node()))
        .toList();
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

  private Part<StatusEntry> list(StatusPart part) {
    String what = part.kind() + "s";
    List<StatusEntry> found = new ArrayList<>();
    KubeAnswer answer =
        http.list(
            part.source(), object -> Optional.ofNullable(part.read(object)).ifPresent(found::add));
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
    return what + " are not installed; to install them: " + CrdInstall.ALL;
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
