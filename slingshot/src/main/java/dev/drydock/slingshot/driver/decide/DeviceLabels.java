package dev.drydock.slingshot.driver.decide;

import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.slingshot.node.decide.CxiNic;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The labels of a Node that say which NICs it has. */
public final class DeviceLabels {
  private DeviceLabels() {}

  /**
   * Labels that have to change; null removes one. Those of others stay.
   *
   * @param mask of the switch's part of addresses; 0 for the usual one
   */
  public static Map<String, @Nullable String> changes(
      Map<String, String> present, List<CxiNic> nics, int mask) {
    Map<String, String> wanted = new TreeMap<>();
    wanted.put(CxiNames.PRESENT, Boolean.toString(!nics.isEmpty()));
    wanted.put(CxiNames.DEVICE_COUNT, Integer.toString(nics.size()));
    for (CxiNic nic : nics) {
      OptionalInt id = nic.switchId(mask);
      if (id.isPresent()) {
        wanted.put(CxiNames.switchLabel(nic.name()), Integer.toString(id.getAsInt()));
      }
    }
    Map<String, @Nullable String> changes = new HashMap<>();
    wanted.forEach(
        (key, value) -> {
          if (!Objects.equals(present.get(key), value)) {
            changes.put(key, value);
          }
        });
    present.keySet().stream()
        .filter(CxiNames::isSwitchLabel)
        .filter(key -> !wanted.containsKey(key))
        .forEach(key -> changes.put(key, null));
    return changes;
  }
}
