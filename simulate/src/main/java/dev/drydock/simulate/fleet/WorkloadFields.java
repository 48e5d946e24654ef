package dev.drydock.simulate.fleet;

import static java.util.stream.Collectors.toCollection;

import dev.drydock.contracts.GoDuration;
import dev.drydock.contracts.LabelSelector;
import dev.drydock.simulate.fleet.Workload.Kind;
import dev.drydock.simulate.fleet.Workload.Times;
import dev.drydock.simulate.fleet.Workload.Traits;
import dev.drydock.simulate.fleet.Workload.Where;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads workloads. */
final class WorkloadFields {
  private static final String TIME = "a time like 30s, or a range like 10s..2m";

  private final Optional<Set<String>> pools;
  private final Optional<Set<String>> nodes;
  private final Map<String, List<Workload>> byName = new LinkedHashMap<>();
  private final Set<String> taken = new HashSet<>();

  /**
   * A reader for one file.
   *
   * @param pools where pods may run; absent if they could not be read because of mistakes
   */
  WorkloadFields(Optional<List<Pool>> pools) {
    this.pools =
        pools.map(all -> all.stream().map(Pool::name).collect(toCollection(LinkedHashSet::new)));
    this.nodes = pools.map(Pool::nodeNames);
  }

  /** All workloads by their namespace and name in the file, with their copies. */
  Map<String, List<Workload>> byName() {
    return byName;
  }

  /** One workload, or with {@code copies} several, each in its own namespace. */
  List<Workload> workloads(FieldReader fields) {
    int copies = fields.count("copies", 0);
    Workload workload = workload(fields);
    List<Workload> all = new ArrayList<>();
    for (int i = 1; i <= copies; i++) {
      all.add(copy(workload, i));
    }
    if (copies > 0 && !workload.where().placed().isEmpty()) {
      fields.problem("copies", "do not go with placed");
    }
    if (!fields.has("copies")) {
      all.add(workload);
    }
    byName.put(workload.toString(), all);
    checkNames(fields, all);
    return all;
  }

  private void checkNames(FieldReader fields, List<Workload> all) {
    boolean twice = false;
    for (Workload each : all) {
      twice |= !taken.add(each.kind() + " " + each);
    }
    if (twice && fields.has("name")) {
      fields.problem("name", "\"" + all.getFirst() + "\" is the name of two workloads");
    }
  }

  /** Referenced names must exist. */
  private void checkPlaces(FieldReader fields, Where where) {
    pools.ifPresent(
        known ->
            where.pools().stream()
                .filter(pool -> !known.contains(pool))
                .forEach(
                    pool ->
                        fields.problem(
                            "pools",
                            "there is no pool \""
                                + pool
                                + "\""
                                + NameSuggestion.meant(pool, known))));
    nodes
        .flatMap(known -> NameSuggestion.unknownNodes(where.placed().keySet(), known))
        .ifPresent(line -> fields.problem("placed", line));
  }

  private static Workload copy(Workload workload, int number) {
    return new Workload(
        workload.namespace() + "-" + number,
        workload.name(),
        workload.kind(),
        workload.replicas(),
        workload.labels(),
        workload.requests(),
        workload.where(),
        workload.times(),
        workload.traits());
  }

  private Workload workload(FieldReader fields) {
    String name = fields.objectName("name");
    Kind kind = fields.choice("kind", Kind.Deployment);
    Map<String, String> labels = fields.texts("labels");
    Workload workload =
        new Workload(
            fields.objectName("namespace", "default"),
            name,
            kind,
            fields.count("replicas", kind == Kind.DaemonSet ? 0 : 1),
            labels.isEmpty() ? Map.of("app", name) : labels,
            requests(fields),
            where(fields),
            times(fields),
            traits(fields));
    check(fields, workload);
    checkPlaces(fields, workload.where());
    fields.refuseOthers();
    return workload;
  }

  private static Map<String, String> requests(FieldReader fields) {
    Map<String, String> requests = new LinkedHashMap<>(Quantities.read(fields, "requests"));
    int gpus = fields.count("gpus", 0);
    if (gpus > 0) {
      requests.put(PoolFields.GPU, Integer.toString(gpus));
    }
    return requests;
  }

  private static void check(FieldReader fields, Workload workload) {
    boolean everywhere = workload.kind() == Kind.DaemonSet;
    if (everywhere && (fields.has("replicas") || fields.has("placed"))) {
      fields.problem("replicas", "a DaemonSet has one pod on each of its nodes");
    }
    int placed = workload.where().placed().values().stream().mapToInt(Integer::intValue).sum();
    if (!everywhere && placed > workload.replicas()) {
      fields.problemIfAlone(
          "placed", placed + " pods are placed, but there are " + workload.replicas());
    }
  }

  private static Where where(FieldReader fields) {
    return new Where(
        fields.list("pools"),
        fields.list("nodes", WorkloadFields::selector, "a label selector like gpu=a100,!spot"),
        fields.list("tolerations", Toleration::parse, "like key=value:NoSchedule, key or *"),
        fields.counts("placed"));
  }

  private static Optional<String> selector(String text) {
    try {
      return Optional.of(LabelSelector.parse(text).toString());
    } catch (IllegalArgumentException _) {
      return Optional.empty(); // the reader of the field reports it, with an example
    }
  }

  private static Times times(FieldReader fields) {
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

  /** A duration, or two with dots between, the shorter one first. */
  private static Optional<String> span(String text) {
    String[] ends = text.split("\\.\\.", 2);
    Optional<Duration> most = GoDuration.find(ends[ends.length - 1]);
    return GoDuration.find(ends[0])
        .filter(least -> most.filter(end -> least.compareTo(end) <= 0).isPresent())
        .map(_ -> text);
  }

  private static Traits traits(FieldReader fields) {
    return new Traits(
        (int) fields.number("priority", 0, -2_000_000_000, 2_000_001_000),
        fields.flag("pinned"),
        fields.flag("emptyDir"),
        fields.count("unready", 0));
  }
}
