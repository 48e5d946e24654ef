package dev.drydock.edge.decide;

import java.util.Arrays;
import java.util.Optional;

/** Who asks for a drain, by the numbers of EVE's records. */
public enum DrainRequester {
  /** Nobody; in a forced status: everybody. */
  NONE(1),
  /** Reboot, shutdown, power-off. */
  DEVICEOP(2),
  /** An OS image. */
  UPDATE(3);

  private final int number;

  DrainRequester(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }

  public static Optional<DrainRequester> of(int number) {
    return Arrays.stream(values()).filter(each -> each.number == number).findFirst();
  }
}
