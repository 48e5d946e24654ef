package dev.drydock.bench;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Where the operator of a benchmark stores health events. */
interface HealthStorage extends AutoCloseable {
  /** Flags of the operator. */
  List<String> flags();

  /** Variables of the operator. */
  default Map<String, String> environment() {
    return Map.of();
  }

  /** Whether the operator has made what it needs. */
  boolean isMade();

  /** How many events are stored, exactly. */
  long count();

  /** How many connections the operator has to a database, if there is one. */
  default OptionalLong connections() {
    return OptionalLong.empty();
  }

  @Override
  void close();
}
