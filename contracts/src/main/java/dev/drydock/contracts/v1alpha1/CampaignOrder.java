package dev.drydock.contracts.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Which node a campaign takes next. */
public enum CampaignOrder {
  /** The node that can leave soonest. */
  @JsonProperty("soonest")
  SOONEST,
  /** One zone after the other, and the soonest within it. */
  @JsonProperty("zone")
  ZONE,
  /** By name, numbers in it as numbers. */
  @JsonProperty("name")
  NAME,
  /** The oldest node first. */
  @JsonProperty("age")
  AGE
}
