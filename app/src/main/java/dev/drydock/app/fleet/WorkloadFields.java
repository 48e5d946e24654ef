package dev.drydock.app.fleet;

import dev.drydock.app.fleet.Workload.Kind;
import dev.drydock.app.fleet.Workload.Times;
import dev.drydock.app.fleet.Workload.Traits;
import dev.drydock.app.fleet.Workload.Where;
import dev.drydock.cli.Durations;
import dev.drydock.drain.decide.LabelSelector;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Reads a workload. */
final class WorkloadFields {
  private static final String TIME = "a time like 30s, or a range like 10s..2m";

  private WorkloadFields() {}

  static Workload workload(Fields fields) {
    String name = fields.required("name");
    Kind kind = fields.choice("kind", Kind.Deployment);
    Map<String, String> labels = fields.texts("labels");
    Map<String, String> requests = new LinkedHashMap<>(Quantities.read(fields, "requests"));
    int gpus = fields.count("gpus", 0);
    if (gpus > 0) {
      requests.put(PoolFields.GPU, Integer.toString(gpus));
    }
    Workload workload =
        new Workload(
            fields.text("namespace", "default"),
            name,
            kind,
            fields.count("replicas", kind == Kind.DaemonSet ? 0 : 1),
            labels.isEmpty() ? Map.of("app", name) : labels,
            requests,
            where(fields),
            times(fields),
            traits(fields));
    if (kind == Kind.DaemonSet && (fields.has("replicas") || fields.has("placed"))) {
      fields.problem("replicas", "a DaemonSet has one pod on each of its nodes");
    }
    int placed = workload.where().placed().values().stream().mapToInt(Integer::intValue).sum();
    if (kind != Kind.DaemonSet && placed > workload.replicas()) {
      fields.problem("placed", placed + " pods are placed, but there are " + workload.replicas());
    }
    fields.refuseOthers();
    return workload;
  }

  private static Where where(Fields fields) {
    return new Where(
        fields.list("pools"),
        fields.list("nodes", WorkloadFields::selector, "a label selector like gpu=a100,!spot"),
        fields.list("tolerations", Toleration::parse, "like key=value:NoSchedule, key or *"),
        placed(fields));
  }

  private static Optional<String> selector(String text) {
    try {
      return Optional.of(LabelSelector.parse(text).toString());
    } catch (IllegalArgumentException _) {
      return Optional.empty(); // told by whoever asked
    }
  }

  private static Map<String, Integer> placed(Fields fields) {
    Map<String, Integer> placed = new LinkedHashMap<>();
    fields
        .object("placed")
        .ifPresent(
            byNode ->
                fields.texts("placed").keySet().forEach(n -> placed.put(n, byNode.count(n, 0))));
    return placed;
  }

  private static Times times(Fields fields) {
    Duration grace = fields.time("grace").orElse(Times.GRACE);
    return new Times(
        fields.read("starts", WorkloadFields::span, TIME).orElse(Times.STARTS),
        fields.read("stops", WorkloadFields::stop, TIME + ", grace or never").orElse(Times.STOPS),
        fields.read("runs", WorkloadFields::span, TIME).orElse(""),
        grace);
  }

  private static Optional<String> stop(String text) {
    return text.equals(Times.ALL_OF_ITS_GRACE) || text.equals(Times.NEVER)
        ? Optional.of(text)
        : span(text);
  }

  /** A time, or two with dots between, the shorter one first. */
  private static Optional<String> span(String text) {
    String[] ends = text.split("\\.\\.", 2);
    Duration least = Durations.parse(ends[0]);
    Duration most = Durations.parse(ends[ends.length - 1]);
    return least != null && most != null && least.compareTo(most) <= 0
        ? Optional.of(text)
        : Optional.empty();
  }

  private static Traits traits(Fields fields) {
    return new Traits(
        (int) fields.number("priority", 0, -2_000_000_000, 2_000_001_000),
        fields.flag("pinned"),
        fields.flag("emptyDir"),
        fields.count("unready", 0));
  }
}
