package dev.drydock.maintenance.decide.campaign;

import dev.drydock.drain.engine.decide.NaturalOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Failure domains: a node may leave only if each level has room in the node's domain. All nodes of
 * the cluster count, not only those of a campaign; those that are not ready, cordoned, held or
 * leaving count as out, once each.
 *
 * <p>Domains of a level are the label's values in the whole cluster: a rack {@code r1} of one zone
 * and a rack {@code r1} of another are one domain, so that a reused name makes the limit tighter
 * and never wider. Nodes without the label are their own domain.
 */
public record DomainBudgets(List<BudgetLevel> levels) {
  public DomainBudgets {
    levels = List.copyOf(levels);
  }

  /**
   * The nodes that may leave.
   *
   * @param refused for each checked node that may not leave, the first level without room
   */
  public record Grants(List<String> granted, Map<String, DomainUse> refused) {
    public Grants {
      granted = List.copyOf(granted);
      refused = new LinkedHashMap<>(refused);
    }
  }

  /**
   * Lets nodes leave in this order while there is room; a node without room does not block the next
   * one. A node that is out already takes no room. Stops when {@code most} may leave.
   */
  public Grants mayLeave(FleetNodes fleet, List<FleetNode> candidates, int most) {
    Counting counting = new Counting(fleet);
    List<String> granted = new ArrayList<>();
    Map<String, DomainUse> refused = new LinkedHashMap<>();
    for (FleetNode node : candidates) {
      if (granted.size() >= most) {
        break;
      }
      Optional<DomainUse> full = fleet.isOut(node) ? Optional.empty() : counting.fullFor(node);
      if (full.isPresent()) {
        refused.put(node.name(), full.get());
      } else {
        granted.add(node.name());
        counting.leave(node);
      }
    }
    return new Grants(granted, refused);
  }

  /** Every domain, by level and then by name. */
  public List<DomainUse> use(FleetNodes fleet) {
    return new Counting(fleet).levels.stream().flatMap(level -> level.uses().stream()).toList();
  }

  /** Per level the domain with the least room left. */
  public List<DomainUse> tightest(FleetNodes fleet) {
    Comparator<DomainUse> room = Comparator.comparingInt(use -> use.allowed() - use.out());
    return new Counting(fleet)
        .levels.stream().flatMap(level -> level.uses().stream().min(room).stream()).toList();
  }

  /** The nodes out in each domain while nodes are allowed to leave one after another. */
  private final class Counting {
    private final List<Level> levels = new ArrayList<>();

    Counting(FleetNodes fleet) {
      DomainBudgets.this.levels.forEach(level -> levels.add(new Level(level)));
      for (FleetNode node : fleet.nodes().values()) {
        Optional<String> why = fleet.whyOut(node);
        levels.forEach(level -> level.count(node, why));
      }
    }

    Optional<DomainUse> fullFor(FleetNode node) {
      return levels.stream().flatMap(level -> level.fullFor(node).stream()).findFirst();
    }

    void leave(FleetNode node) {
      levels.forEach(level -> level.leave(node));
    }
  }

  private static final class Level {
    private final BudgetLevel limit;
    private final Map<String, Domain> domains = new HashMap<>();

    Level(BudgetLevel limit) {
      this.limit = limit;
    }

    void count(FleetNode node, Optional<String> why) {
      Domain domain = domainOf(node);
      domain.nodes++;
      why.ifPresent(reason -> domain.out.put(node.name(), reason));
    }

    void leave(FleetNode node) {
      domainOf(node).out.putIfAbsent(node.name(), "leaving now");
    }

    Optional<DomainUse> fullFor(FleetNode node) {
      Domain domain = domainOf(node);
      if (domain.out.size() < limit.allowed(domain.nodes)) {
        return Optional.empty();
      }
      // a full domain does not change in this round, so its text can be cached
      if (domain.full == null) {
        domain.full = use(limit.domainOf(node), domain);
      }
      return Optional.of(domain.full);
    }

    List<DomainUse> uses() {
      return domains.entrySet().stream()
          .sorted(Map.Entry.comparingByKey(NaturalOrder.INSTANCE))
          .map(domain -> use(domain.getKey(), domain.getValue()))
          .toList();
    }

    private DomainUse use(String name, Domain domain) {
      List<String> who =
          domain.out.entrySet().stream()
              .sorted(Map.Entry.comparingByKey(NaturalOrder.INSTANCE))
              .map(node -> node.getKey() + ": " + node.getValue())
              .toList();
      return new DomainUse(
          limit.describe(name), domain.nodes, who.size(), limit.allowed(domain.nodes), who);
    }

    private Domain domainOf(FleetNode node) {
      return domains.computeIfAbsent(limit.domainOf(node), _ -> new Domain());
    }
  }

  private static final class Domain {
    private final Map<String, String> out = new HashMap<>();
    private int nodes;
    private @Nullable DomainUse full;
  }
}
