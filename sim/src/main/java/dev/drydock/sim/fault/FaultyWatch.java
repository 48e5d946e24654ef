package dev.drydock.sim.fault;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.time.VirtualTime;
import dev.drydock.sim.call.CallInterceptor;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Delivers the events of one watch with the plan's faults. */
final class FaultyWatch implements CallInterceptor.Lines {
  private final CallInterceptor.Lines healthy;
  private final List<Fault.OfWatch> faults;
  private final Stalling stalling;
  private final BooleanSupplier partitioned;
  private int events;
  private @Nullable JsonNode heldBack;

  /** In virtual time: what came while nothing gets through; null while it does. */
  private @Nullable List<JsonNode> missed;

  private boolean lost;

  /**
   * How time passes while the watch stalls.
   *
   * @param virtual null if the thread that sends has to wait
   */
  record Stalling(Consumer<Duration> passTime, @Nullable Supplier<VirtualTime> virtual) {}

  FaultyWatch(
      CallInterceptor.Lines healthy,
      List<Fault.OfWatch> faults,
      Stalling stalling,
      BooleanSupplier partitioned) {
    this.healthy = healthy;
    this.faults = faults;
    this.stalling = stalling;
    this.partitioned = partitioned;
  }

  @Override
  public void send(JsonNode line) throws IOException {
    if (missed != null) {
      missed.add(line);
      return;
    }
    events++;
    if (lost || partitioned.getAsBoolean()) {
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
          if (events == after + 1 && stalls(line, time)) {
            return;
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

  /** Whether the line and all that follow it come later. */
  private boolean stalls(JsonNode line, Duration time) {
    if (stalling.virtual() == null) {
      stalling.passTime().accept(time);
      return false;
    }
    missed = new ArrayList<>(List.of(line));
    var _ = stalling.virtual().get().schedule(time, this::goOn);
    return true;
  }

  private void goOn() {
    List<JsonNode> later = missed == null ? List.of() : missed;
    missed = null;
    try {
      for (JsonNode line : later) {
        send(line);
      }
    } catch (CallInterceptor.ConnectionLost | IOException broken) {
      lost = true; // the next event, or the end of the watch, shows it
    }
  }
}
