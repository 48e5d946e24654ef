package dev.drydock.slingshot.driver;

import java.util.List;
import java.util.Optional;

/** Which pods of the node have devices. */
@FunctionalInterface
public interface DeviceUsers {
  /** {@code NAMESPACE/NAME} of each; empty if nobody can say it. */
  Optional<List<String>> podsWithDevices();
}
