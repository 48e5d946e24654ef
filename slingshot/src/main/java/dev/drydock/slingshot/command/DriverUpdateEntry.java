package dev.drydock.slingshot.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Resource;
import dev.drydock.serve.feature.StatusEntry;
import dev.drydock.serve.feature.StatusPart;
import dev.drydock.slingshot.decide.UpdateState;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What {@code drydock status} says about the update of a node's driver. */
public final class DriverUpdateEntry {
  private static final String KIND = "CXIDriver";

  private DriverUpdateEntry() {}

  /** Only nodes of a roll-out are read. */
  public static StatusPart part() {
    return new StatusPart(
        KIND,
        StatusEntry.DRAIN,
        Resource.NODES.all().labelSelector(CxiNames.ROLLOUT_LABEL),
        DriverUpdateEntry::read);
  }

  /** Null if the update waits for nothing, or if the node's drain says what it waits for. */
  static @Nullable StatusEntry read(JsonNode object) {
    ApiObject node = ApiObject.of(object);
    Map<String, String> annotations = node.annotations();
    String driver = node.labels().getOrDefault(CxiNames.DRIVER_LABEL, "");
    String why = annotations.getOrDefault(CxiNames.UPDATE_ERROR, "no reason given");
    Optional<String> wait =
        UpdateState.find(annotations.getOrDefault(CxiNames.UPDATE_STATE, ""))
            .flatMap(state -> waitsFor(state, driver, why));
    return wait.map(
            line ->
                new StatusEntry(
                    node.name(),
                    KIND,
                    StatusEntry.DRAIN,
                    Optional.empty(),
                    since(annotations.get(CxiNames.UPDATE_STARTED_AT)),
                    Optional.empty(),
                    "",
                    Optional.empty(),
                    List.of(line)))
        .orElse(null);
  }

  private static Optional<String> waitsFor(UpdateState state, String driver, String why) {
    return switch (state) {
      case INSTALLING ->
          Optional.of("its driver agent to install the driver of CXIDriver " + driver);
      case VERIFYING ->
          Optional.of("its devices to be healthy with the driver of CXIDriver " + driver);
      case ROLLING_BACK ->
          Optional.of("its driver agent to go back to the previous driver: " + why);
      case REBOOT_REQUIRED ->
          Optional.of("a reboot: modules of the previous CXI driver are in use");
      case FAILED -> Optional.of("a person: the CXI driver could not be updated: " + why);
      case PENDING, DRAINING, DONE, ROLLED_BACK -> Optional.empty();
    };
  }

  private static Instant since(@Nullable String time) {
    try {
      return time == null ? Instant.EPOCH : Instant.parse(time);
    } catch (DateTimeException unreadable) {
      return Instant.EPOCH; // only the order of entries depends on it
    }
  }
}
