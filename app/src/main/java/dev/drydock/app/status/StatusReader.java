package dev.drydock.app.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.cli.CrdInstall;
import dev.drydock.drain.stop.AndonCord;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.UnreadableObject;
import dev.drydock.kube.time.Background;
import dev.drydock.serve.command.ExistenceCheck;
import dev.drydock.serve.command.NodeArguments;
import dev.drydock.serve.feature.Features;
import dev.drydock.serve.feature.StatusEntry;
import dev.drydock.serve.feature.StatusPart;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Reads the cluster once. Nodes must be readable; other kinds that are not installed or may not be
 * read are noted and left out.
 */
final class StatusReader {
  private final KubeHttp http;
  private final AndonCord cord;

  /** The objects of a kind, and why some are missing. */
  private record Part<T>(List<T> found, List<String> notes) {}

  StatusReader(KubeHttp http, AndonCord cord) {
    this.http = http;
    this.cord = cord;
  }

  StatusSnapshot at(NodeArguments wanted) {
    List<Background<Part<StatusEntry>>> parts =
        Features.load().status().stream().map(part -> Background.start(() -> list(part))).toList();
    Background<Part<String>> stopped = Background.start(this::stopped);
    List<String> notes = new ArrayList<>();
    List<NodeSnapshot> nodes = nodes(wanted, notes);
    List<StatusEntry> entries = new ArrayList<>();
    for (Background<Part<StatusEntry>> part : parts) {
      notes.addAll(part.join().notes());
      entries.addAll(part.join().found());
    }
    notes.addAll(stopped.join().notes());
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

  private List<NodeSnapshot> nodes(NodeArguments wanted, List<String> notes) {
    List<NodeSnapshot> nodes = new ArrayList<>();
    Consumer<JsonNode> reader =
        UnreadableObject.leftOut(
            NodeSnapshot::read, nodes::add, bad -> notes.add("Node " + bad.getMessage()));
    if (!wanted.names().isEmpty()) {
      new ExistenceCheck(http).requireNodes(wanted.names()).forEach(reader);
      return nodes;
    }
    var _ = http.list(wanted.source(), reader).orThrow("list of nodes");
    if (nodes.isEmpty() && notes.isEmpty() && wanted.selector() != null) {
      throw NodeArguments.nothingSelected(wanted.selector());
    }
    return nodes;
  }

  private Part<StatusEntry> list(StatusPart part) {
    String what = part.kind() + "s";
    List<StatusEntry> found = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    KubeAnswer answer =
        http.list(
            part.source(),
            UnreadableObject.leftOut(
                object -> Optional.ofNullable(part.read(object)),
                read -> read.ifPresent(found::add),
                bad -> notes.add(part.kind() + " " + bad.getMessage())));
    switch (answer.code()) {
      case HttpURLConnection.HTTP_NOT_FOUND -> notes.add(notInstalled(what));
      case HttpURLConnection.HTTP_FORBIDDEN ->
          notes.add(what + " are not shown: " + answer.message());
      default -> {
        var _ = answer.orThrow("list of " + what);
      }
    }
    return new Part<>(found, notes);
  }

  static String notInstalled(String what) {
    return what + " are not installed; to install them: " + CrdInstall.ALL;
  }

  static String notChecked(String why) {
    return "cannot check whether 'drydock stop' was run: " + why;
  }

  private Part<String> stopped() {
    try {
      return new Part<>(cord.read().map(Object::toString).stream().toList(), List.of());
    } catch (ApiFailure failure) {
      if (failure.code() != HttpURLConnection.HTTP_FORBIDDEN) {
        throw failure;
      }
      return new Part<>(List.of(), List.of(notChecked(String.valueOf(failure.getMessage()))));
    }
  }
}
