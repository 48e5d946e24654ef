package dev.drydock.contracts.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The order in which a campaign takes nodes. */
public enum CampaignOrder {
  /** The node that can be drained soonest. */
  @JsonProperty("soonest")
  SOONEST,
  /** Zone by zone, and the soonest node within a zone. */
  @JsonProperty("zone")
  ZONE,
  /** By name, comparing numbers in names as numbers. */
  @JsonProperty("name")
  NAME,
  /** The oldest node first. */
  @JsonProperty("age")
  AGE
}
