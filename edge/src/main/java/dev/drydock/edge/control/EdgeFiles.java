package dev.drydock.edge.control;

import dev.drydock.edge.decide.ClusterConfig;
import dev.drydock.edge.decide.ClusterMembership;
import dev.drydock.edge.decide.DeferredOperation;
import dev.drydock.edge.decide.DrainRequester;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.EdgeSettings;
import dev.drydock.edge.decide.ForcedStatus;
import dev.drydock.edge.decide.NodeDrainRequest;
import dev.drydock.edge.decide.RequestAsker;
import dev.drydock.edge.decide.RequestDecider;
import dev.drydock.edge.record.EdgePaths;
import dev.drydock.edge.record.EdgeRecords;
import dev.drydock.edge.record.EdgeRecords.RecordUnreadable;
import dev.drydock.edge.record.ProcessView;
import dev.drydock.edge.record.PublishedFiles;
import dev.drydock.edge.record.PublishedFiles.FileFailure;
import dev.drydock.edge.record.PublishedFiles.UnusableFile;
import dev.drydock.edge.record.RefusedRequest;
import dev.drydock.edge.record.StoredDrain;
import dev.drydock.edge.record.StoredOperation;
import dev.drydock.kube.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Reads and writes the records. A record that others are just writing, or have damaged, counts as
 * it was when it could last be read. Used by several loops.
 */
final class EdgeFiles {
  private final EdgePaths paths;
  private final PublishedFiles files;
  private final Consumer<String> complaints;
  private final Map<Path, Object> lastGood = new HashMap<>();
  private final Map<Path, String> complained = new HashMap<>();
  private final List<String> ignoredForces = new ArrayList<>();

  /**
   * @param complaints gets one line for each file that cannot be read, when it changes
   */
  EdgeFiles(EdgePaths paths, PublishedFiles files, Consumer<String> complaints) {
    this.paths = paths;
    this.files = files;
    this.complaints = complaints;
  }

  /** Reads the text of a record. */
  @FunctionalInterface
  private interface Reader<T> {
    T read(String text) throws RecordUnreadable;
  }

  private synchronized <T> Optional<T> read(Path file, Reader<T> reader) {
    try {
      Optional<String> text = files.read(file);
      if (text.isEmpty()) {
        lastGood.remove(file);
        return Optional.empty();
      }
      T record = reader.read(text.get());
      lastGood.put(file, record);
      return Optional.of(record);
    } catch (RecordUnreadable unreadable) {
      var _ = complain(file, unreadable.getMessage());
    } catch (UnusableFile unusable) {
      var _ = complain(file, unusable.why());
    }
    @SuppressWarnings("unchecked") // a file always has the same reader
    T before = (T) lastGood.get(file);
    return Optional.ofNullable(before);
  }

  /** Only as it is now; what cannot be a record counts as missing. */
  private synchronized Optional<String> text(Path file) {
    try {
      return files.read(file);
    } catch (UnusableFile unusable) {
      var _ = complain(file, unusable.why());
      return Optional.empty();
    }
  }

  /** Returns whether this is new. */
  private boolean complain(Path file, String why) {
    boolean first = !why.equals(complained.put(file, why));
    if (first) {
      complaints.accept(line(file, why));
    }
    return first;
  }

  private static String line(Path file, String why) {
    return "%s is ignored: %s".formatted(file, why);
  }

  private void ignoreForce(Path file, String why) {
    if (complain(file, why)) {
      ignoredForces.add(line(file, why));
    }
  }

  /** What was wrong with force files that people wrote, each once. */
  synchronized List<String> takeIgnoredForces() {
    List<String> lines = List.copyOf(ignoredForces);
    ignoredForces.clear();
    return lines;
  }

  Map<DrainRequester, NodeDrainRequest> requests() {
    Map<DrainRequester, NodeDrainRequest> requests = new EnumMap<>(DrainRequester.class);
    for (DrainRequester by : List.of(DrainRequester.DEVICEOP, DrainRequester.UPDATE)) {
      request(by).ifPresent(request -> requests.put(by, request));
    }
    return requests;
  }

  Optional<NodeDrainRequest> request(DrainRequester by) {
    return read(paths.request(by), text -> EdgeRecords.request(text, by));
  }

  void request(NodeDrainRequest request) {
    files.publish(paths.request(request.requestedBy()), EdgeRecords.write(request));
  }

  void withdraw(DrainRequester by) {
    files.remove(paths.request(by));
  }

  /** What the first of the force files says; one that cannot be used is reported and ignored. */
  synchronized Optional<ForcedStatus> force() {
    for (Path file : paths.force()) {
      try {
        Optional<String> text = files.read(file);
        if (text.isPresent()) {
          ForcedStatus forced = EdgeRecords.forced(text.get());
          if (forced.isValid()) {
            return Optional.of(forced);
          }
          ignoreForce(file, "only status 1 (no drains) and 9 (complete) can be forced");
        }
      } catch (RecordUnreadable unreadable) {
        ignoreForce(file, unreadable.getMessage());
      } catch (UnusableFile unusable) {
        ignoreForce(file, unusable.why());
      }
    }
    return Optional.empty();
  }

  /** One that cannot be removed, such as a folder in its place, counts for nothing. */
  void removeForce() {
    for (Path file : paths.force()) {
      try {
        files.remove(file);
      } catch (FileFailure failed) {
        complaints.accept(failed.getMessage());
      }
    }
  }

  /** Removes the order that was carried out; another one, or one that is newer, stays. */
  void removeForce(ForcedStatus done) {
    for (Path file : paths.force()) {
      files
          .read(file)
          .filter(text -> says(text, done))
          .ifPresent(text -> files.removeIfSame(file, text));
    }
  }

  private static boolean says(String text, ForcedStatus order) {
    try {
      return EdgeRecords.forced(text).equals(order);
    } catch (RecordUnreadable other) {
      return false;
    }
  }

  Optional<ClusterConfig> clusterConfig() {
    return read(paths.clusterConfig(), EdgeRecords::clusterConfig);
  }

  /** EVE's settings, or else those of our own file. */
  EdgeSettings settings(Optional<Path> own) {
    Map<String, String> values =
        read(paths.configItems(), EdgeRecords::settings)
            .or(() -> own.flatMap(file -> read(file, EdgeRecords::settings)))
            .orElse(Map.of());
    return EdgeSettings.of(EdgeRecords.numbers(values));
  }

  boolean isFaultInjected() {
    return text(paths.faultInjection()).isPresent();
  }

  boolean isCancelled() {
    return text(paths.cancel()).isPresent();
  }

  void removeCancel() {
    files.remove(paths.cancel());
  }

  /**
   * Takes what somebody has asked for since, instead of what waits; a command that runs is not
   * replaced. Requests that nobody waits for any more are refused.
   */
  void takeAsked(ProcessView processes, String bootId) {
    Map<EdgeOperation, DeferredOperation> known = operations();
    for (EdgeOperation each : EdgeOperation.values()) {
      Optional<String> request = text(paths.asked(each));
      boolean runs =
          Optional.ofNullable(known.get(each))
              .filter(now -> now.state() == DeferredOperation.State.STARTED)
              .isPresent();
      if (request.isPresent() && !refused(each, request.get(), processes, bootId) && !runs) {
        files.remove(paths.refused(each));
        files.take(paths.asked(each), paths.operation(each));
      }
    }
  }

  private boolean refused(
      EdgeOperation operation, String request, ProcessView processes, String bootId) {
    Optional<RefusedRequest> refusal = refusal(operation, request, processes, bootId);
    refusal.ifPresent(
        refused -> {
          complaints.accept(refused.line());
          files.publish(paths.refused(operation), refused.write());
          files.removeIfSame(paths.asked(operation), request);
        });
    return refusal.isPresent();
  }

  private static Optional<RefusedRequest> refusal(
      EdgeOperation operation, String request, ProcessView processes, String bootId) {
    try {
      DeferredOperation asked = StoredOperation.read(request);
      if (!asked.isRequestFor(operation)) {
        throw new RecordUnreadable("it is no request for this operation, or has no command");
      }
      Optional<RequestAsker> asker = StoredOperation.asker(request);
      return RequestDecider.refusal(
              new RequestDecider.Request(asked.bootId(), asker),
              new RequestDecider.Now(
                  bootId,
                  processes.uptime(),
                  asker.map(processes::presence).orElse(RequestDecider.Presence.UNSEEN)))
          .map(
              why ->
                  new RefusedRequest(
                      asked.requestedAt().toString(),
                      "%s of %s is refused: %s; if it is still wanted, ask again"
                          .formatted(described(asked), asked.requestedAt(), why)));
    } catch (RecordUnreadable damaged) {
      return Optional.of(
          new RefusedRequest(
              "",
              "%s is refused: its request cannot be read: %s; if it is still wanted, ask again"
                  .formatted(operation.word(), damaged.getMessage())));
    }
  }

  private static String described(DeferredOperation asked) {
    return asked.operation() == EdgeOperation.UPDATE
        ? "os-update to " + asked.context()
        : asked.operation().word();
  }

  /** A person has called everything off, and so has seen what was refused. */
  void forgetRefused() {
    for (EdgeOperation each : EdgeOperation.values()) {
      files.remove(paths.refused(each));
    }
  }

  /** The operations that wait, in the order in which they are done. */
  Map<EdgeOperation, DeferredOperation> operations() {
    Map<EdgeOperation, DeferredOperation> operations = new TreeMap<>();
    for (EdgeOperation each : EdgeOperation.values()) {
      read(paths.operation(each), StoredOperation::read)
          .filter(stored -> stored.operation() == each)
          .ifPresent(stored -> operations.put(each, stored));
    }
    return operations;
  }

  void store(DeferredOperation operation) {
    files.publish(paths.operation(operation.operation()), StoredOperation.write(operation));
  }

  void remove(EdgeOperation operation) {
    files.remove(paths.operation(operation));
  }

  /** The drain of this boot; what an earlier boot has left does not count. */
  Optional<StoredDrain> drain(String bootId) {
    return read(paths.drain(), StoredDrain::read).filter(stored -> stored.bootId().equals(bootId));
  }

  /**
   * Requests that we published before the machine went down are not asked for any more, if they are
   * still there.
   */
  void withdrawRequestsOfEarlierBoot(String bootId) {
    read(paths.drain(), StoredDrain::read)
        .filter(stored -> !stored.bootId().equals(bootId))
        .ifPresent(
            stored ->
                stored.published().values().stream()
                    .filter(ours -> request(ours.requestedBy()).filter(ours::equals).isPresent())
                    .forEach(ours -> withdraw(ours.requestedBy())));
  }

  void store(StoredDrain drain) {
    files.publish(paths.drain(), drain.write());
  }

  /** What was known in another boot is worth less: EVE's record has not been published yet. */
  ClusterMembership membership(String bootId) {
    return read(
            paths.membership(),
            text -> {
              var node = EdgeRecords.read(text);
              boolean sameBoot = node.path("bootId").asText("").equals(bootId);
              return new ClusterMembership(
                  node.has("clustered")
                      ? Optional.of(node.path("clustered").asBoolean())
                      : Optional.empty(),
                  sameBoot && node.path("configured").asBoolean(),
                  node.path("left").asBoolean());
            })
        .orElse(ClusterMembership.UNKNOWN);
  }

  void store(ClusterMembership membership, String bootId) {
    var text = Json.object().put("bootId", bootId);
    membership.clustered().ifPresent(known -> text.put("clustered", known));
    text.put("configured", membership.configured()).put("left", membership.left());
    files.publish(paths.membership(), text.toString());
  }

  /** Removes what a process has left that died while it wrote. */
  void removeUnfinished() {
    files.removeUnfinished(paths.status());
    files.removeUnfinished(paths.drain());
    files.removeUnfinished(paths.membership());
    files.removeUnfinished(paths.nodeAgentStatus());
    for (DrainRequester by : List.of(DrainRequester.DEVICEOP, DrainRequester.UPDATE)) {
      files.removeUnfinished(paths.statusFor(by));
    }
    for (EdgeOperation each : EdgeOperation.values()) {
      files.removeUnfinished(paths.operation(each));
      files.removeUnfinished(paths.refused(each));
    }
  }
}
