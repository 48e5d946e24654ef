package dev.drydock.contracts.health;

/**
 * How far an operation on a node has got.
 *
 * @param status one of the words in {@link HealthStatus}, or empty
 */
public record OperationStatus(String status, String message) {
  public static final OperationStatus EMPTY = new OperationStatus("", "");
}
