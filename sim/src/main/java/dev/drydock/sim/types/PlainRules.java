package dev.drydock.sim.types;

/** The rules of types that are only stored. */
record PlainRules(boolean hasStatus, boolean countsGenerations) implements BuiltInRules {
  /** For types without behaviour. */
  static final PlainRules CONTENT = new PlainRules(false, false);
}
