package dev.drydock.sim.types;

import dev.drydock.sim.api.TypeRules;

/** Rules of types that are only kept. */
record PlainRules(boolean hasStatus, boolean countsGenerations) implements TypeRules {
  /** Content without a will of its own. */
  static final PlainRules CONTENT = new PlainRules(false, false);

  /** A wish that a controller fulfils. */
  static final PlainRules CONTROLLER = new PlainRules(true, true);
}
