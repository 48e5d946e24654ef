package dev.drydock.sim.types;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.StatusException;

/**
 * Rules of types that would change what is allowed, if there were any: there are none, which may be
 * asked for, and none can be made.
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
