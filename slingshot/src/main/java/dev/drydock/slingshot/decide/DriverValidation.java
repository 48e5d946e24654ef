package dev.drydock.slingshot.decide;

import dev.drydock.contracts.GoDuration;
import dev.drydock.contracts.cxi.CxiNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks the spec of a CXIDriver as it was sent: all errors at once, and warnings. Components that
 * are off are not checked.
 */
public final class DriverValidation {
  private static final Pattern VERSION =
      Pattern.compile(
          "v?\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z][0-9A-Za-z.-]*)?(\\+[0-9A-Za-z][0-9A-Za-z.-]*)?");
  private static final int MANY = 1000;

  private final Map<String, Object> spec;
  private final List<String> errors = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  /** What is wrong, and what the author should know. */
  public record Result(List<String> errors, List<String> warnings) {
    public Result {
      errors = List.copyOf(errors);
      warnings = List.copyOf(warnings);
    }

    /** All errors in one line. */
    public String message() {
      return "validation failed: [" + String.join("; ", errors) + "]";
    }
  }

  private DriverValidation(Map<String, Object> spec) {
    this.spec = spec;
  }

  /**
   * Checks a spec.
   *
   * @param before the spec before an update; null on creation
   * @param active the active CXIDriver, if it is another one
   */
  public static Result check(
      Map<String, Object> spec,
      @Nullable Map<String, Object> before,
      Optional<String> active,
      OriginalImages images) {
    DriverValidation validation = new DriverValidation(spec);
    validation.version();
    validation.source();
    validation.retryHandler();
    validation.devicePlugin();
    validation.updateStrategy();
    if (before != null) {
      validation.changed(before);
    }
    active
        .filter(_ -> before == null)
        .ifPresent(
            name ->
                validation.warnings.add(
                    "CXIDriver \"%s\" is active, and only one can be: this one has no effect until that one is deleted"
                        .formatted(name)));
    validation.warnings.addAll(images.warnings(spec));
    return new Result(validation.errors, validation.warnings);
  }

  private static String or(String text, String otherwise) {
    return text.isEmpty() ? otherwise : text;
  }

  private void version() {
    String version = Tree.text(spec, "version");
    if (version.isBlank()) {
      errors.add("spec.version is empty; give the driver's version, e.g. 1.8.3");
    } else if (!VERSION.matcher(version).matches()) {
      warnings.add(
          "spec.version: \"%s\" is not a semantic version such as 1.8.3".formatted(version));
    }
  }

  private void source() {
    Map<String, Object> source = Tree.child(spec, "source");
    String type = or(Tree.text(source, "type"), "dkms");
    switch (type) {
      case "dkms" -> {
        Map<String, Object> dkms = Tree.child(source, "dkms");
        boolean given =
            !Tree.text(source, "url").isBlank()
                || EffectiveSpec.isArchive(Tree.text(source, "repository"))
                || !Tree.text(dkms, "tag").isBlank()
                || !Tree.child(Tree.child(dkms, "repositories"), "cxiDriver").isEmpty();
        if (!given) {
          errors.add(
              "spec.source: type dkms needs the URL of an archive in repository or url, or dkms.tag,"
                  + " or dkms.repositories.cxiDriver");
        }
      }
      case "prebuilt" -> {
        if (Tree.text(source, "prebuiltCache").isBlank()) {
          errors.add("spec.source.prebuiltCache is empty; type prebuilt needs a base URL");
        }
      }
      case "preinstalled" -> {}
      default ->
          errors.add(
              "spec.source.type: \"%s\" should be dkms, prebuilt or preinstalled".formatted(type));
    }
  }

  private static boolean isOff(Map<String, Object> component) {
    return Boolean.FALSE.equals(component.get("enabled"));
  }

  private static String mode(Map<String, Object> spec) {
    return or(Tree.text(Tree.child(spec, "retryHandler"), "mode"), "daemonset");
  }

  private void retryHandler() {
    Map<String, Object> handler = Tree.child(spec, "retryHandler");
    if (isOff(handler)) {
      return;
    }
    switch (mode(spec)) {
      case "daemonset", "none" -> {}
      case "sidecar" -> {
        if (!handler.containsKey("sidecar")) {
          warnings.add(
              "spec.retryHandler: mode sidecar without spec.retryHandler.sidecar uses its defaults,"
                  + " 10m and 32Mi requested, at most 100m and 64Mi");
        }
      }
      case "kernel" -> {
        if (Tree.text(Tree.child(spec, "source"), "type").equals("preinstalled")) {
          warnings.add(
              "spec.retryHandler: mode kernel needs a preinstalled driver that was built with"
                  + " CONFIG_CXI_RETRY_HANDLER");
        }
      }
      default ->
          errors.add(
              "spec.retryHandler.mode: \"%s\" should be daemonset, sidecar, kernel or none"
                  .formatted(mode(spec)));
    }
  }

  private void devicePlugin() {
    Map<String, Object> plugin = Tree.child(spec, "devicePlugin");
    if (isOff(plugin)) {
      return;
    }
    String sharing = or(Tree.text(plugin, "sharingMode"), "shared");
    if (!List.of("shared", "exclusive").contains(sharing)) {
      errors.add(
          "spec.devicePlugin.sharingMode: \"%s\" should be shared or exclusive".formatted(sharing));
    }
    if (sharing.equals("shared") && plugin.get("sharedCapacity") instanceof Number capacity) {
      if (capacity.longValue() < 1) {
        errors.add("spec.devicePlugin.sharedCapacity: %s should be at least 1".formatted(capacity));
      } else if (capacity.longValue() > EffectiveSpec.MOST_CAPACITY) {
        errors.add(
            "spec.devicePlugin.sharedCapacity: %s should be at most %d"
                .formatted(capacity, EffectiveSpec.MOST_CAPACITY));
      } else if (capacity.longValue() > MANY) {
        warnings.add(
            "spec.devicePlugin.sharedCapacity: %s is more than %d pods on one device"
                .formatted(capacity, MANY));
      }
    }
  }

  private void updateStrategy() {
    Map<String, Object> update = Tree.child(spec, "updateStrategy");
    String timeout = Tree.text(update, "healthCheckTimeout");
    if (update.containsKey("healthCheckTimeout")
        && GoDuration.find(timeout).filter(Duration::isPositive).isEmpty()) {
      errors.add(
          "spec.updateStrategy.healthCheckTimeout: \"%s\" is not a time such as 5m, 90s or 1h30m"
              .formatted(timeout));
    }
    String unavailable = Tree.text(update, "maxUnavailable");
    if (update.containsKey("maxUnavailable") && !EffectiveSpec.isUnavailable(unavailable)) {
      errors.add(
          "spec.updateStrategy.maxUnavailable: \"%s\" should be a number of at least 1, or a percentage from 1%% to 100%%"
              .formatted(unavailable));
    }
  }

  private static String resourceName(Map<String, Object> spec) {
    return or(
        Tree.text(Tree.child(spec, "devicePlugin"), "resourceName"), CxiNames.DEFAULT_RESOURCE);
  }

  private void changed(Map<String, Object> before) {
    if (!resourceName(before).equals(resourceName(spec))) {
      warnings.add(
          "spec.devicePlugin.resourceName changes from %s to %s; pods that request the old one have to be changed"
              .formatted(resourceName(before), resourceName(spec)));
    }
    if (!mode(before).equals(mode(spec))) {
      warnings.add(
          "spec.retryHandler.mode changes from %s to %s; retries of running applications are interrupted"
              .formatted(mode(before), mode(spec)));
    }
  }
}
