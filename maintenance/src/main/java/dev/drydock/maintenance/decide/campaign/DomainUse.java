package dev.drydock.maintenance.decide.campaign;

import dev.drydock.contracts.NameLists;
import java.util.List;

/**
 * How much of one domain's budget is used.
 *
 * @param domain e.g. {@code topology.kubernetes.io/zone=a}, or {@code the cluster}
 * @param who the nodes that are out, each with the reason
 */
public record DomainUse(String domain, int nodes, int out, int allowed, List<String> who) {
  public DomainUse {
    who = List.copyOf(who);
  }

  /** For people: the domain, how many are out of how many, and which. */
  public String describe() {
    String some = who.isEmpty() ? "" : " (" + NameLists.some(who) + ")";
    return "%s: %d of at most %d out%s".formatted(domain, out, allowed, some);
  }
}
