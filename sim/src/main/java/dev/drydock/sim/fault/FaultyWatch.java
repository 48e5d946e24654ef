package dev.drydock.sim.fault;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.sim.call.CallInterceptor;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Delivers the events of one watch with the plan's faults. */
final class FaultyWatch implements CallInterceptor.Lines {
  private final CallInterceptor.Lines healthy;
  private final List<Fault.OfWatch> faults;
  private final Consumer<Duration> passTime;
  private final BooleanSupplier partitioned;
  private int events;
  private @Nullable JsonNode heldBack;

  FaultyWatch(
      CallInterceptor.Lines healthy,
      List<Fault.OfWatch> faults,
      Consumer<Duration> passTime,
      BooleanSupplier partitioned) {
    this.healthy = healthy;
    this.faults = faults;
    this.passTime = passTime;
    this.partitioned = partitioned;
  }

  @Override
  public void send(JsonNode line) throws IOException {
    events++;
    if (partitioned.getAsBoolean()) {
      throw new CallInterceptor.ConnectionLost();
    }
    boolean twice = false;
    boolean later = false;
    for (Fault.OfWatch fault : faults) {
      switch (fault) {
        case Fault.Cut(int after) -> {
          if (events > after) {
            throw new CallInterceptor.ConnectionLost();
          }
        }
        case Fault.Stalled(int after, Duration time) -> {
          if (events == after + 1) {
            passTime.accept(time);
          }
        }
        case Fault.Repeated(int event) -> twice |= events == event;
        case Fault.Swapped(int event) -> later |= events == event;
      }
    }
    if (later && heldBack == null) {
      heldBack = line;
      return;
    }
    healthy.send(line);
    if (twice) {
      healthy.send(line);
    }
    JsonNode earlier = heldBack;
    if (earlier != null) {
      heldBack = null;
      healthy.send(earlier);
    }
  }
}
