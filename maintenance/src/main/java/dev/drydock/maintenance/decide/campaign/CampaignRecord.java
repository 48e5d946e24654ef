package dev.drydock.maintenance.decide.campaign;

import java.util.Collection;
import java.util.Optional;

/**
 * What a campaign's own status says about the record of the nodes that are done. The record is in
 * ConfigMaps of one operator's namespace, where a person may delete it; without it, nodes that are
 * done would leave again.
 *
 * @param namespace where the record is; absent before the first operator has claimed the campaign
 * @param done how many nodes have been recorded, which only grows
 * @param over whether the campaign has ended, for its current spec
 */
public record CampaignRecord(Optional<String> namespace, int done, boolean over) {
  /** The same with what the record itself says. */
  public CampaignRecord with(Collection<CompletedDeparture> known) {
    int recorded = known.stream().mapToInt(each -> each.before() + 1).max().orElse(0);
    return new CampaignRecord(namespace, Math.max(done, Math.max(recorded, known.size())), over);
  }

  public boolean isClaimed() {
    return namespace.isPresent();
  }

  /** Which operator serves a campaign. */
  public enum Server {
    THIS,
    /** That of the namespace where the record is. */
    ANOTHER,
    /** It is not claimed yet, or has ended and stays as it is, because its record is gone. */
    NONE
  }

  /**
   * Which operator serves the campaign.
   *
   * @param here this operator's namespace
   * @param known how many nodes the record has, as this operator reads it
   */
  public Server server(String here, int known) {
    if (namespace.isEmpty()) {
      return Server.NONE;
    }
    if (!namespace.get().equals(here)) {
      return Server.ANOTHER;
    }
    return over && lost(known).isPresent() ? Server.NONE : Server.THIS;
  }

  /**
   * Why it is not known which nodes are done, if so.
   *
   * @param known how many nodes the record has
   */
  public Optional<String> lost(int known) {
    return known >= done
        ? Optional.empty()
        : Optional.of(
            "the record of %d nodes that are done is gone from namespace %s; restore its ConfigMaps, or delete this campaign and create one for the nodes that are left"
                .formatted(done - known, namespace.orElse("?")));
  }
}
