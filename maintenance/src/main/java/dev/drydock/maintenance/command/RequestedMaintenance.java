package dev.drydock.maintenance.command;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.cli.CommandFailure;
import dev.drydock.kube.ObjectName;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The requested maintenance, the same for every node.
 *
 * @param maintenanceClass null if other operators do the work
 */
public record RequestedMaintenance(
    String namespace,
    String id,
    String type,
    @Nullable String maintenanceClass,
    @Nullable String owner) {
  private static final Pattern ID = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
  private static final int LONGEST_ID = 63;

  /** It is part of a label key, so it must be valid there. */
  static void checkId(String id) {
    if (id.length() > LONGEST_ID || !ID.matcher(id).matches()) {
      throw CommandFailure.usage(
          "--id \"%s\": use at most %d letters, digits, '-', '_' and '.', with a letter or digit at both ends"
              .formatted(id, LONGEST_ID));
    }
  }

  String name(String node) {
    return name(id, node);
  }

  /** Deterministic for a node and task, so that the same command finds it again. */
  public static String name(String id, String node) {
    String name =
        (id + "-" + node)
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9.-]", "-")
            .replaceAll("-*\\.[-.]*", ".");
    return ObjectName.of(name, id + "-" + node, "");
  }

  ObjectNode manifest(String node) {
    ObjectNode manifest = NotifyMaintenanceObject.RESOURCE.manifest(namespace, name(node));
    ObjectNode spec = manifest.putObject("spec");
    spec.put("nodeObject", node).put("maintenanceID", id).put("maintenanceType", type);
    if (maintenanceClass != null) {
      spec.put("maintenanceClass", maintenanceClass);
    }
    if (owner != null) {
      spec.put("owner", owner);
    }
    return manifest;
  }

  /** How an existing object of this name differs from the request. */
  List<String> differences(String node, JsonNode existing) {
    JsonNode wanted = manifest(node).path("spec");
    JsonNode there = existing.path("spec");
    List<String> differences = new ArrayList<>();
    for (String field :
        List.of("nodeObject", "maintenanceID", "maintenanceType", "maintenanceClass")) {
      String before = text(there, field);
      if (!Objects.equals(before, text(wanted, field))) {
        differences.add(field + " is " + (before.isEmpty() ? "not set" : before));
      }
    }
    return differences;
  }

  String collection() {
    return NotifyMaintenanceObject.RESOURCE.collection(namespace);
  }

  /** The command that cancels it. */
  String deletion(List<String> nodes) {
    return "kubectl delete notifymaintenance -n %s %s --wait=false"
        .formatted(namespace, String.join(" ", nodes.stream().map(this::name).toList()));
  }
}
