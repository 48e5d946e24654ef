package dev.drydock.sim.types;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.StatusException;

/**
 * The rules of types whose objects would change admission or authorization, which is not simulated:
 * they can be listed, but none can be created.
 */
final class RefusedRules implements BuiltInRules {
  @Override
  public boolean hasStatus() {
    return false;
  }

  @Override
  public boolean countsGenerations() {
    return false;
  }

  @Override
  public void beforeCreate(ObjectNode object) {
    throw StatusException.notSimulated("creation of a " + object.path("kind").asText());
  }
}
