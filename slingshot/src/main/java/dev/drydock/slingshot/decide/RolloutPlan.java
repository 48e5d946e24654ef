package dev.drydock.slingshot.decide;

import dev.drydock.contracts.NameLists;
import dev.drydock.contracts.cxi.CXIDriverSpec.UpdateType;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.v1alpha1.CampaignPhase;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Which campaign rolls out the wanted revision, whether there has to be a new one, and which of the
 * older ones have to be stopped.
 *
 * @param current that of the wanted revision, if it exists or has to be created
 * @param creates whether class and campaign have to be created
 * @param classOnly whether only the class is needed, because users choose the nodes
 * @param superseded campaigns of other revisions that are not stopped
 */
public record RolloutPlan(
    Optional<String> current, boolean creates, boolean classOnly, List<String> superseded) {
  /** Why a campaign was stopped by the operator. */
  public enum Outcome {
    ROLLED_BACK("RolledBack"),
    SUPERSEDED("Superseded");

    private final String text;

    Outcome(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /**
   * A campaign of this driver.
   *
   * @param generation of the CXIDriver that it was made for
   * @param outcome as in its annotation; empty if it was not stopped by the operator
   * @param nodesOut whether nodes are out of service for it, or may leave before it is stopped
   */
  public record Campaign(
      String name,
      long generation,
      String revision,
      Optional<CampaignPhase> phase,
      boolean stopped,
      String outcome,
      String stopReason,
      boolean nodesOut) {
    /** Whether it needs a change of the CXIDriver to go on. */
    boolean isOver() {
      return stopped || phase.filter(CampaignPhase.Halted::equals).isPresent();
    }
  }

  /**
   * Decides for the nodes of the driver.
   *
   * @param campaigns of this driver
   * @param classOfRevision that exists for the wanted revision
   */
  public static RolloutPlan of(
      DriverIdentity driver,
      EffectiveSpec spec,
      Collection<CxiNode> nodes,
      Collection<Campaign> campaigns,
      Optional<String> classOfRevision) {
    String revision = spec.revision();
    Optional<Campaign> newest =
        campaigns.stream().max(Comparator.comparingLong(Campaign::generation));
    Optional<Campaign> current = newest.filter(each -> each.revision().equals(revision));
    List<String> superseded =
        running(campaigns).stream()
            .filter(each -> !current.map(Campaign::name).equals(Optional.of(each)))
            .toList();
    boolean needed =
        spec.installs()
            && nodes.stream().anyMatch(node -> !node.isSkipped() && needsUpdate(node, revision));
    boolean byUsers = spec.update().type() == UpdateType.OnDelete;
    if (byUsers) {
      Optional<String> own =
          classOfRevision.or(
              () -> Optional.of(RolloutObjects.name(driver.name(), driver.generation())));
      return new RolloutPlan(
          own.filter(_ -> needed), needed && classOfRevision.isEmpty(), true, running(campaigns));
    }
    boolean retried =
        current
            .filter(each -> each.isOver() && each.generation() < driver.generation())
            .isPresent();
    if (needed && (current.isEmpty() || retried)) {
      return new RolloutPlan(
          Optional.of(RolloutObjects.name(driver.name(), driver.generation())),
          true,
          false,
          running(campaigns));
    }
    return new RolloutPlan(current.map(Campaign::name), false, false, superseded);
  }

  /** The plan for a driver that is being deleted: nothing new begins. */
  public static RolloutPlan ending(Collection<Campaign> campaigns) {
    return new RolloutPlan(Optional.empty(), false, false, running(campaigns));
  }

  /** Why a driver that is being deleted may not be let go of yet; empty if it may. */
  public static Optional<String> keeps(Collection<CxiNode> nodes, Collection<Campaign> campaigns) {
    List<String> out = nodes.stream().filter(CxiNode::isOut).map(CxiNode::name).sorted().toList();
    if (!out.isEmpty()) {
      return Optional.of("waits until its nodes are back in service: " + NameLists.some(out));
    }
    List<String> open =
        campaigns.stream().filter(Campaign::nodesOut).map(Campaign::name).sorted().toList();
    return open.isEmpty()
        ? Optional.empty()
        : Optional.of("waits until its campaigns have stopped: " + NameLists.some(open));
  }

  private static List<String> running(Collection<Campaign> campaigns) {
    return campaigns.stream().filter(each -> !each.stopped()).map(Campaign::name).sorted().toList();
  }

  /** A node without a recorded driver is installed at once: nothing on it can use the driver. */
  static boolean needsUpdate(CxiNode node, String revision) {
    return node.installed().filter(each -> !each.equals(revision)).isPresent();
  }

  /** Which roll-out a node is to belong to; empty for none. */
  public Optional<String> of(CxiNode node, EffectiveSpec spec) {
    Optional<String> labelled = Optional.ofNullable(node.labels().get(CxiNames.ROLLOUT_LABEL));
    boolean leaves =
        node.maintenance()
            .filter(each -> each.state().hasBegun() && labelled.isPresent())
            .isPresent();
    if (leaves) {
      return labelled;
    }
    // a user has chosen it, and it gets its driver without the campaign
    boolean chosen = node.maintenance().filter(each -> each.campaign().isEmpty()).isPresent();
    if (current.isEmpty() || classOnly || chosen) {
      return Optional.empty();
    }
    return needsUpdate(node, spec.revision()) || labelled.equals(current)
        ? current
        : Optional.empty();
  }
}
