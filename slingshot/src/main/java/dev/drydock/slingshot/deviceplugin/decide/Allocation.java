package dev.drydock.slingshot.deviceplugin.decide;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What a container gets for the devices that the kubelet chose for it. */
public sealed interface Allocation {
  String COUNT = "CXI_DEVICE_COUNT";
  String NAME = "CXI_DEVICE";

  /**
   * The container gets these interfaces.
   *
   * @param nics their names, each once
   * @param environment variables of the container
   */
  record Granted(List<String> nics, Map<String, String> environment) implements Allocation {}

  /** The container must not start; the reason is for people. */
  record Refused(String reason) implements Allocation {}

  /** A device that is unknown or unhealthy is refused: half of what was asked for is of no use. */
  static Allocation of(DeviceUnits units, List<String> ids) {
    Set<String> nics = new LinkedHashSet<>();
    for (String id : ids) {
      Optional<OfferedNic> nic = units.nicOf(id);
      if (nic.isEmpty()) {
        return new Refused("there is no device %s on this node".formatted(id));
      }
      if (!nic.get().healthy()) {
        return new Refused("device %s is unhealthy: %s".formatted(id, nic.get().name()));
      }
      nics.add(nic.get().name());
    }
    Map<String, String> environment = new TreeMap<>();
    if (!nics.isEmpty()) {
      environment.put(COUNT, Integer.toString(nics.size()));
    }
    if (nics.size() == 1) {
      environment.put(NAME, nics.iterator().next());
    }
    return new Granted(List.copyOf(nics), environment);
  }
}
