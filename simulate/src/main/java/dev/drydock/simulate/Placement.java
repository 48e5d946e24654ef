package dev.drydock.simulate;

import dev.drydock.contracts.LabelSelector;
import dev.drydock.sim.control.schedule.MilliQuantities;
import dev.drydock.simulate.fleet.Fleet;
import dev.drydock.simulate.fleet.Pool;
import dev.drydock.simulate.fleet.Taint;
import dev.drydock.simulate.fleet.Toleration;
import dev.drydock.simulate.fleet.Workload;
import dev.drydock.simulate.fleet.Workload.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * The initial placement of a fleet's pods: as the file says, otherwise spread over the fitting
 * nodes, those with the most free resources first. So a large fleet is up at once instead of being
 * scheduled pod by pod.
 */
final class Placement {
  private static final String PODS = "pods";

  /** One node and its used resources. */
  private static final class Place {
    private final Pool pool;
    private final Pool.Node node;
    private final int turn;
    private final Map<String, String> labels;
    private final Map<String, Long> left;
    private int pods;

    Place(Pool pool, Pool.Node node, int turn, Map<String, Long> capacity) {
      this.pool = pool;
      this.node = node;
      this.turn = turn;
      this.labels = pool.labelsOf(node);
      this.left = new HashMap<>(capacity);
    }

    boolean fits(Map<String, Long> amounts) {
      return amounts.entrySet().stream()
          .allMatch(amount -> left.getOrDefault(amount.getKey(), 0L) >= amount.getValue());
    }

    void take(Map<String, Long> amounts) {
      pods++;
      amounts.forEach((resource, amount) -> left.merge(resource, -amount, Long::sum));
    }
  }

  private static final Comparator<Place> EMPTIEST =
      Comparator.comparingInt((Place place) -> place.pods).thenComparingInt(place -> place.turn);

  private final Map<String, Place> places = new LinkedHashMap<>();
  private final Map<Workload, List<String>> nodes = new HashMap<>();

  private Placement(Fleet fleet) {
    List<Integer> turns = new ArrayList<>();
    for (int i = 0; i < fleet.nodeCount(); i++) {
      turns.add(i);
    }
    // neighbours in the file share a rack; filling nodes in file order would put whole workloads
    // into one rack
    Collections.shuffle(turns, new Random(fleet.seed()));
    for (Pool pool : fleet.pools()) {
      Map<String, Long> capacity = amounts(pool.capacity());
      for (Pool.Node node : pool.nodes()) {
        places.put(node.name(), new Place(pool, node, turns.get(places.size()), capacity));
      }
    }
  }

  static Placement of(Fleet fleet) {
    Placement placement = new Placement(fleet);
    fleet.workloads().forEach(placement::asGiven);
    fleet.workloads().stream()
        .filter(workload -> workload.kind() == Kind.DaemonSet)
        .forEach(placement::everywhere);
    fleet.workloads().stream()
        .filter(workload -> workload.kind() != Kind.DaemonSet)
        .forEach(placement::spread);
    return placement;
  }

  /** The node of each pod; fewer than the workload's replicas if there is no room. */
  List<String> of(Workload workload) {
    return nodes.getOrDefault(workload, List.of());
  }

  private void asGiven(Workload workload) {
    List<String> given = nodes.computeIfAbsent(workload, _ -> new ArrayList<>());
    Map<String, Long> amounts = requests(workload);
    workload
        .where()
        .placed()
        .forEach(
            (name, count) -> {
              Place place = places.get(name);
              for (int i = 0; place != null && i < count; i++) {
                place.take(amounts);
                given.add(name);
              }
            });
  }

  private void everywhere(Workload workload) {
    List<String> taken = nodes.computeIfAbsent(workload, _ -> new ArrayList<>());
    Map<String, Long> amounts = requests(workload);
    for (Place place : allowed(workload, false)) {
      if (place.fits(amounts)) {
        place.take(amounts);
        taken.add(place.node.name());
      }
    }
  }

  private void spread(Workload workload) {
    List<String> taken = nodes.computeIfAbsent(workload, _ -> new ArrayList<>());
    if (workload.traits().pinned() || taken.size() >= workload.replicas()) {
      return;
    }
    Map<String, Long> amounts = requests(workload);
    PriorityQueue<Place> emptiest = new PriorityQueue<>(EMPTIEST);
    emptiest.addAll(allowed(workload, true));
    while (taken.size() < workload.replicas() && !emptiest.isEmpty()) {
      Place place = emptiest.remove();
      if (place.fits(amounts)) {
        place.take(amounts);
        taken.add(place.node.name());
        emptiest.add(place);
      }
    }
  }

  /** DaemonSet pods also run on cordoned nodes. */
  private List<Place> allowed(Workload workload, boolean schedulable) {
    List<String> pools = workload.where().pools();
    List<LabelSelector> selectors =
        workload.where().selectors().stream().map(LabelSelector::parse).toList();
    return places.values().stream()
        .filter(place -> pools.isEmpty() || pools.contains(place.pool.name()))
        .filter(place -> !schedulable || !place.node.cordoned())
        .filter(place -> isTolerated(place.pool, workload))
        .filter(
            place ->
                selectors.isEmpty()
                    || selectors.stream().anyMatch(selector -> selector.matches(place.labels)))
        .toList();
  }

  private static boolean isTolerated(Pool pool, Workload workload) {
    boolean meant = workload.where().pools().contains(pool.name());
    return meant || pool.taints().stream().allMatch(taint -> isTolerated(taint, workload));
  }

  private static boolean isTolerated(Taint taint, Workload workload) {
    List<Toleration> tolerations = workload.where().tolerations();
    return taint.effect().equals("PreferNoSchedule")
        || tolerations.stream().anyMatch(toleration -> toleration.tolerates(taint));
  }

  private static Map<String, Long> requests(Workload workload) {
    Map<String, Long> amounts = amounts(workload.requests());
    amounts.put(PODS, thousandths("1"));
    return amounts;
  }

  private static Map<String, Long> amounts(Map<String, String> quantities) {
    Map<String, Long> amounts = new HashMap<>();
    quantities.forEach((resource, quantity) -> amounts.put(resource, thousandths(quantity)));
    return amounts;
  }

  private static long thousandths(String quantity) {
    return MilliQuantities.find(quantity).orElseThrow();
  }
}
