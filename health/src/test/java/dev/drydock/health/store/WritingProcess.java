package dev.drydock.health.store;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthNames;
import dev.drydock.health.operator.EventStores;
import dev.drydock.health.operator.HealthSettings.StoreKind;
import dev.drydock.kube.time.TimeSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Stores one batch after another and says so, until it is killed. */
public final class WritingProcess {
  static final int BATCH = 7;

  private WritingProcess() {}

  static List<HealthEvent> batch(int number) {
    return IntStream.range(0, BATCH)
        .mapToObj(
            i ->
                HealthEvent.builder()
                    .nodeName("node")
                    .message(number + "/" + i)
                    .metadata(HealthNames.IDEMPOTENCY_KEY, "writer#" + number + "#" + i)
                    .build())
        .toList();
  }

  /**
   * Runs until killed.
   *
   * @param arguments the kind of store, a folder, and the number of the first batch; the rest is in
   *     the original's variables
   */
  public static void main(String[] arguments) {
    EventStore store =
        EventStores.open(
            StoreKind.valueOf(arguments[0]),
            Optional.of(Path.of(arguments[1])),
            System.getenv(),
            TimeSource.REAL);
    int number = Integer.parseInt(arguments[2]);
    // until nobody reads any more: it does not outlive the test, even if that is killed
    while (!System.out.checkError()) {
      var _ = store.append(batch(number));
      System.out.println("stored " + number);
      number++;
    }
    Runtime.getRuntime().halt(1);
  }
}
