package dev.drydock.sim.control.workload;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The next step of a Deployment's rolling update. Pure. */
final class RollingUpdate {
  /** The desired replicas, maxSurge and maxUnavailable. */
  record Wish(int replicas, int maxSurge, int maxUnavailable) {}

  /** A ReplicaSet: its desired and actual replicas, and its age as sortable text. */
  record SetState(String name, int wanted, int available, String created) {}

  private RollingUpdate() {}

  /** The next replicas of each ReplicaSet; unchanged ones may be left out. */
  static Map<String, Integer> decide(Wish wish, SetState young, List<SetState> old) {
    List<SetState> active = old.stream().filter(set -> set.wanted() > 0).toList();
    if (young.wanted() == wish.replicas() && active.isEmpty()) {
      return Map.of();
    }
    int oldTotal = active.stream().mapToInt(SetState::wanted).sum();
    int youngNext = youngNext(wish, young.wanted(), oldTotal);
    if (youngNext != young.wanted()) {
      // one step at a time, like the real controller
      return Map.of(young.name(), youngNext);
    }
    return oldNext(wish, young, active, oldTotal);
  }

  private static int youngNext(Wish wish, int wanted, int oldTotal) {
    if (wanted >= wish.replicas()) {
      return wish.replicas();
    }
    int room = wish.replicas() + wish.maxSurge() - wanted - oldTotal;
    return wanted + Math.clamp(room, 0, wish.replicas() - wanted);
  }

  private static Map<String, Integer> oldNext(
      Wish wish, SetState young, List<SetState> active, int oldTotal) {
    Map<String, Integer> next = new LinkedHashMap<>();
    active.forEach(set -> next.put(set.name(), set.wanted()));
    int leastAvailable = wish.replicas() - wish.maxUnavailable();
    int missingYoung = young.wanted() - young.available();
    int room = young.wanted() + oldTotal - leastAvailable - missingYoung;
    if (room <= 0) {
      return Map.of();
    }
    List<SetState> byAge = new ArrayList<>(active);
    byAge.sort(Comparator.comparing(SetState::created).thenComparing(SetState::name));
    // unhealthy replicas are removed first
    for (SetState set : byAge) {
      int broken = Math.min(room, Math.max(0, set.wanted() - set.available()));
      next.merge(set.name(), -broken, Integer::sum);
      room -= broken;
    }
    int available = young.available() + active.stream().mapToInt(RollingUpdate::workingOf).sum();
    int spare = available - leastAvailable;
    for (SetState set : byAge) {
      int less = Math.clamp(spare, 0, next.getOrDefault(set.name(), 0));
      next.merge(set.name(), -less, Integer::sum);
      spare -= less;
    }
    return next;
  }

  private static int workingOf(SetState set) {
    return Math.min(set.wanted(), set.available());
  }

  /** The number itself, or that percentage of all, rounded up or down. */
  static int share(String amount, int of, boolean up) {
    if (!amount.endsWith("%")) {
      return Integer.parseInt(amount);
    }
    int percent = Integer.parseInt(amount.substring(0, amount.length() - 1));
    return up ? Math.ceilDiv(percent * of, 100) : percent * of / 100;
  }

  /** At least one of the two must be greater than zero. */
  static Wish wish(int replicas, String maxSurge, String maxUnavailable) {
    int surge = share(maxSurge, replicas, true);
    int unavailable = share(maxUnavailable, replicas, false);
    return new Wish(replicas, surge, surge == 0 && unavailable == 0 ? 1 : unavailable);
  }
}
