package dev.drydock.sim.types;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.Cause;
import dev.drydock.sim.json.JsonTrees;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rules of pod specs, in pods and in templates. */
final class PodSpecs {
  private static final int FILE_MODE = 0644;
  private static final int GRACE = 30;
  private static final Map<String, Integer> PROBE_DEFAULTS =
      Map.of(
          "timeoutSeconds", 1, "periodSeconds", 10, "successThreshold", 1, "failureThreshold", 3);
  private static final List<String> PROBES =
      List.of("livenessProbe", "readinessProbe", "startupProbe");

  private PodSpecs() {}

  static void fillIn(ObjectNode spec) {
    JsonTrees.putIfAbsent(spec, "restartPolicy", "Always");
    JsonTrees.putIfAbsent(spec, "dnsPolicy", "ClusterFirst");
    JsonTrees.putIfAbsent(spec, "schedulerName", "default-scheduler");
    putIfAbsent(spec, "terminationGracePeriodSeconds", GRACE);
    JsonTrees.child(spec, "securityContext");
    for (String list : List.of("initContainers", "containers")) {
      spec.path(list).forEach(container -> fillInContainer((ObjectNode) container));
    }
    spec.path("volumes").forEach(volume -> fillInVolume((ObjectNode) volume));
  }

  private static void fillInContainer(ObjectNode container) {
    JsonTrees.child(container, "resources");
    JsonTrees.putIfAbsent(container, "terminationMessagePath", "/dev/termination-log");
    JsonTrees.putIfAbsent(container, "terminationMessagePolicy", "File");
    String image = JsonTrees.text(container, "image");
    String name = image.substring(image.lastIndexOf('/') + 1);
    boolean moves = !name.contains("@") && (!name.contains(":") || name.endsWith(":latest"));
    JsonTrees.putIfAbsent(container, "imagePullPolicy", moves ? "Always" : "IfNotPresent");
    for (JsonNode port : container.path("ports")) {
      JsonTrees.putIfAbsent((ObjectNode) port, "protocol", "TCP");
    }
    for (String probe : PROBES) {
      if (container.get(probe) instanceof ObjectNode checks) {
        PROBE_DEFAULTS.forEach((field, value) -> putIfAbsent(checks, field, value));
      }
    }
  }

  private static void fillInVolume(ObjectNode volume) {
    if (volume.size() == 1) {
      volume.putObject("emptyDir");
    }
    for (String files : List.of("configMap", "secret", "projected", "downwardAPI")) {
      if (volume.get(files) instanceof ObjectNode source) {
        putIfAbsent(source, "defaultMode", FILE_MODE);
      }
    }
    if (volume.get("hostPath") instanceof ObjectNode source) {
      JsonTrees.putIfAbsent(source, "type", "");
    }
  }

  static void putIfAbsent(ObjectNode object, String field, int value) {
    if (!JsonTrees.isPresent(object.path(field))) {
      object.put(field, value);
    }
  }

  static List<Cause> validate(JsonNode spec, String path) {
    List<Cause> causes = new ArrayList<>();
    if (spec.path("containers").isEmpty()) {
      causes.add(Cause.required(path + ".containers"));
    }
    Set<String> names = new HashSet<>();
    for (String list : List.of("containers", "initContainers")) {
      int index = 0;
      for (JsonNode container : spec.path(list)) {
        String at = "%s.%s[%d]".formatted(path, list, index++);
        String name = JsonTrees.text(container, "name");
        if (name.isEmpty()) {
          causes.add(Cause.required(at + ".name"));
        }
        if (JsonTrees.text(container, "image").isEmpty()) {
          causes.add(Cause.required(at + ".image"));
        }
        if (!name.isEmpty() && !names.add(name)) {
          causes.add(Cause.duplicate(at + ".name", "\"" + name + "\""));
        }
      }
    }
    return causes;
  }
}
