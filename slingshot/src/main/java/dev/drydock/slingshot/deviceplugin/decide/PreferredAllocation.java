package dev.drydock.slingshot.deviceplugin.decide;

import dev.drydock.contracts.cxi.CXIDriverSpec.SharingMode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which of the free devices a container should get: different interfaces on one NUMA node, as far
 * as there are any.
 */
public final class PreferredAllocation {
  private final DeviceUnits units;

  private PreferredAllocation(DeviceUnits units) {
    this.units = units;
  }

  /**
   * The devices to allocate; fewer than asked for if there are not enough.
   *
   * @param available free devices, including those that must be included
   * @param mustInclude devices that the container has to get; too many are cut off
   */
  public static List<String> choose(
      DeviceUnits units, List<String> available, List<String> mustInclude, int size) {
    if (size <= 0) {
      return List.of();
    }
    List<String> chosen = new ArrayList<>(mustInclude.stream().distinct().limit(size).toList());
    List<String> free = available.stream().distinct().filter(id -> !chosen.contains(id)).toList();
    PreferredAllocation allocation = new PreferredAllocation(units);
    List<String> rest =
        units.mode() == SharingMode.exclusive
            ? allocation.exclusive(free, chosen)
            : allocation.shared(free, chosen, size - chosen.size());
    chosen.addAll(rest.stream().limit(size - chosen.size()).toList());
    return List.copyOf(chosen);
  }

  private OptionalInt numaOf(String id) {
    Optional<OfferedNic> nic = units.nicOf(id);
    return nic.isPresent() && nic.get().numaNode() >= 0
        ? OptionalInt.of(nic.get().numaNode())
        : OptionalInt.empty();
  }

  private OptionalInt firstKnown(List<String> ids) {
    return ids.stream()
        .map(this::numaOf)
        .filter(OptionalInt::isPresent)
        .findFirst()
        .orElse(OptionalInt.empty());
  }

  /** Those on the NUMA node of what is chosen already, or of the first free one, then the rest. */
  private List<String> exclusive(List<String> free, List<String> chosen) {
    OptionalInt given = firstKnown(chosen);
    OptionalInt wanted = given.isPresent() ? given : firstKnown(free);
    return free.stream()
        // the order of equals stays
        .sorted(Comparator.comparing(id -> !(wanted.isPresent() && numaOf(id).equals(wanted))))
        .toList();
  }

  /** An interface with free units. */
  private static final class Candidate {
    private final OfferedNic nic;
    private final int position;
    private final Deque<String> free = new ArrayDeque<>();
    private int taken;

    Candidate(OfferedNic nic, int position) {
      this.nic = nic;
      this.position = position;
    }

    String take() {
      taken++;
      return free.removeFirst();
    }
  }

  /** Of equals the one with the most free units is the least used. */
  private static Comparator<Candidate> better(OptionalInt numaNode) {
    return Comparator.comparingInt((Candidate each) -> each.taken)
        .thenComparing(each -> numaNode.isPresent() && each.nic.numaNode() != numaNode.getAsInt())
        .thenComparingInt(each -> -each.free.size())
        .thenComparingInt(each -> each.position);
  }

  /**
   * One unit after the other, each from the interface of which the container has the fewest, then
   * on the same NUMA node, then the least used.
   */
  private List<String> shared(List<String> free, List<String> chosen, int size) {
    Map<String, Candidate> byNic = new LinkedHashMap<>();
    for (int i = 0; i < units.nics().size(); i++) {
      OfferedNic nic = units.nics().get(i);
      byNic.put(nic.name(), new Candidate(nic, i));
    }
    chosen.forEach(id -> candidate(byNic, id).ifPresent(each -> each.taken++));
    List<String> unknown = new ArrayList<>();
    for (String id : free) {
      candidate(byNic, id).ifPresentOrElse(each -> each.free.add(id), () -> unknown.add(id));
    }
    List<Candidate> left = new ArrayList<>(byNic.values());
    left.removeIf(each -> each.free.isEmpty());
    List<String> picked = new ArrayList<>();
    OptionalInt wanted = firstKnown(chosen);
    while (picked.size() < size && !left.isEmpty()) {
      Candidate best = Collections.min(left, better(wanted));
      picked.add(best.take());
      if (best.free.isEmpty()) {
        left.remove(best);
      }
      if (wanted.isEmpty() && best.nic.numaNode() >= 0) {
        wanted = OptionalInt.of(best.nic.numaNode());
      }
    }
    picked.addAll(unknown);
    return picked;
  }

  private Optional<Candidate> candidate(Map<String, Candidate> byNic, String id) {
    return units.nicOf(id).map(nic -> byNic.get(nic.name()));
  }
}
