package dev.drydock.contracts.health;

import java.util.List;
import java.util.Optional;

/**
 * How far an event goes. A number that this version does not know is kept as it came.
 *
 * @param number on the wire
 */
public record ProcessingStrategy(int number) {
  /** As monitors send it that say nothing; the connector makes it {@link #EXECUTE_REMEDIATION}. */
  public static final ProcessingStrategy UNSPECIFIED = new ProcessingStrategy(0);

  public static final ProcessingStrategy EXECUTE_REMEDIATION = new ProcessingStrategy(1);

  /** Recorded, and nothing else comes of it. */
  public static final ProcessingStrategy STORE_ONLY = new ProcessingStrategy(2);

  public static final ProcessingStrategy STORE_AND_ANALYSE = new ProcessingStrategy(3);

  private static final NumberedNames NAMES =
      new NumberedNames(
          List.of(
              new NumberedNames.Entry(0, "UNSPECIFIED"),
              new NumberedNames.Entry(1, "EXECUTE_REMEDIATION"),
              new NumberedNames.Entry(2, "STORE_ONLY"),
              new NumberedNames.Entry(3, "STORE_AND_ANALYSE")));

  /** Finds a strategy by its name in the protocol, or by its number in digits. */
  public static Optional<ProcessingStrategy> find(String name) {
    return NAMES.number(name).map(ProcessingStrategy::new);
  }

  public static List<String> names() {
    return NAMES.names();
  }

  /** Its name in the protocol; the number in digits if it has none here. */
  public String name() {
    return NAMES.name(number);
  }

  /** Whether nodes may be changed because of the event. */
  public boolean acts() {
    return equals(UNSPECIFIED) || equals(EXECUTE_REMEDIATION);
  }

  @Override
  public String toString() {
    return name();
  }
}
