package dev.drydock.sim.types;

/** Rules of types that are only kept. */
record PlainRules(boolean hasStatus, boolean countsGenerations) implements BuiltInRules {
  /** Content without a will of its own. */
  static final PlainRules CONTENT = new PlainRules(false, false);
}
