package dev.drydock.health.customdrain;

import dev.drydock.contracts.LabelSelector;
import dev.drydock.health.customdrain.decide.CustomDrainRules;
import dev.drydock.health.resource.ResourceTemplate;

/**
 * How drains are left to other controllers.
 *
 * @param nodes whose drains are
 * @param waitForKind whether to start although the cluster does not serve the kind yet
 */
public record CustomDrainConfig(
    String namespace,
    String apiGroup,
    String version,
    String kind,
    ResourceTemplate template,
    String drainer,
    LabelSelector nodes,
    CustomDrainRules rules,
    boolean waitForKind) {
  public String apiVersion() {
    return apiGroup + "/" + version;
  }
}
