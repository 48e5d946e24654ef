package dev.drydock.slingshot.decide;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How far a node's update is, as clients of CXI drivers know it. */
public enum UpdateState {
  PENDING,
  DRAINING,
  INSTALLING,
  VERIFYING,
  DONE,
  FAILED,
  ROLLING_BACK,
  ROLLED_BACK,
  REBOOT_REQUIRED;

  /** The value of the annotation. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static Optional<UpdateState> find(String text) {
    return Arrays.stream(values()).filter(state -> state.text().equals(text)).findFirst();
  }
}
