package dev.drydock.contracts.health;

import java.util.List;
import java.util.Optional;

/**
 * What a monitor recommends to do about an event. Not an enum: a number that this version does not
 * know is kept as it came, so that events of newer monitors pass unchanged.
 *
 * @param number on the wire
 */
public record RecommendedAction(int number) {
  public static final RecommendedAction NONE = new RecommendedAction(0);
  public static final RecommendedAction COMPONENT_RESET = new RecommendedAction(2);
  public static final RecommendedAction CONTACT_SUPPORT = new RecommendedAction(5);
  public static final RecommendedAction RUN_FIELDDIAG = new RecommendedAction(6);
  public static final RecommendedAction RESTART_VM = new RecommendedAction(15);
  public static final RecommendedAction RESTART_BM = new RecommendedAction(24);
  public static final RecommendedAction REPLACE_VM = new RecommendedAction(25);
  public static final RecommendedAction RUN_DCGMEUD = new RecommendedAction(26);

  /** Named by {@link HealthEvent#customRecommendedAction}. */
  public static final RecommendedAction CUSTOM = new RecommendedAction(27);

  public static final RecommendedAction UNKNOWN = new RecommendedAction(99);

  private static final NumberedNames NAMES =
      new NumberedNames(
          List.of(
              new NumberedNames.Entry(0, "NONE"),
              new NumberedNames.Entry(2, "COMPONENT_RESET"),
              new NumberedNames.Entry(5, "CONTACT_SUPPORT"),
              new NumberedNames.Entry(6, "RUN_FIELDDIAG"),
              new NumberedNames.Entry(15, "RESTART_VM"),
              new NumberedNames.Entry(24, "RESTART_BM"),
              new NumberedNames.Entry(25, "REPLACE_VM"),
              new NumberedNames.Entry(26, "RUN_DCGMEUD"),
              new NumberedNames.Entry(27, "CUSTOM"),
              new NumberedNames.Entry(99, "UNKNOWN")));

  /** Finds an action by its name in the protocol, or by its number in digits. */
  public static Optional<RecommendedAction> find(String name) {
    return NAMES.number(name).map(RecommendedAction::new);
  }

  /** All names, in the order of their numbers. */
  public static List<String> names() {
    return NAMES.names();
  }

  /** Its name in the protocol; the number in digits if it has none here. */
  public String name() {
    return NAMES.name(number);
  }

  @Override
  public String toString() {
    return name();
  }
}
