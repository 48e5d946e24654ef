package dev.drydock.health.remediation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.health.config.ConfigFileInvalid;
import dev.drydock.health.config.TomlTable;
import dev.drydock.health.drainer.decide.DrainScope;
import dev.drydock.health.remediation.decide.MaintenanceKind;
import dev.drydock.health.remediation.decide.RemediationAction;
import dev.drydock.health.remediation.decide.RemediationActions;
import dev.drydock.health.resource.ResourceTemplate;
import dev.drydock.health.resource.ResourceTemplateInvalid;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the TOML file of fault-remediation. */
public final class RemediationFile {
  private static final String ACTIONS = "remediationActions";
  private static final String COMPONENT_ACTIONS = "componentRemediationActions";
  private static final String COMPLETE = "NodeReady";
  private static final int MOST_ATTEMPTS = 1_000_000;

  /** Entities that a node can be drained of in part. */
  private static final Set<String> ENTITIES = Set.of(DrainScope.DEVICE_TYPE);

  private final TomlTable root;
  private final Map<String, ResourceTemplate> templates = new HashMap<>();

  private RemediationFile(TomlTable root) {
    this.root = root;
  }

  /**
   * Reads a file and its templates.
   *
   * @throws ConfigFileInvalid if it cannot be used
   */
  public static RemediationConfig read(Path file) {
    return new RemediationFile(TomlTable.read(file)).config();
  }

  static RemediationConfig parse(String text, String source) {
    return new RemediationFile(TomlTable.parse(text, source)).config();
  }

  private RemediationConfig config() {
    RemediationActions actions = actions();
    return new RemediationConfig(actions, templates, Optional.empty());
  }

  private RemediationActions actions() {
    var _ =
        root.known(
            Set.of(
                "template", ACTIONS, COMPONENT_ACTIONS, "updateRetry", "maxRemediationAttempts"));
    var _ = template().known(Set.of("mountPath", "fileName"));
    checkRetry();
    Map<String, RemediationAction> shared = section(root.json().path(ACTIONS), ACTIONS);
    Map<String, Map<String, RemediationAction>> byComponent = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> component : root.json().path(COMPONENT_ACTIONS).properties()) {
      byComponent.put(
          component.getKey(),
          section(
              component.getValue(), "%s.\"%s\"".formatted(COMPONENT_ACTIONS, component.getKey())));
    }
    List<RemediationAction> all = new ArrayList<>(shared.values());
    byComponent.values().forEach(actions -> all.addAll(actions.values()));
    if (all.isEmpty()) {
      throw root.invalid("it has no [%s.\"ACTION\"]".formatted(ACTIONS));
    }
    all.forEach(action -> checkSuperseding(action, all));
    return new RemediationActions(
        shared,
        byComponent,
        Optional.empty(),
        root.number(
            "maxRemediationAttempts", RemediationActions.DEFAULT_ATTEMPTS, 0, MOST_ATTEMPTS));
  }

  /** Accepted, but without effect: what cannot be stored is tried again until it is. */
  private void checkRetry() {
    TomlTable retry =
        root.table("updateRetry", "[updateRetry]: ")
            .known(Set.of("maxRetries", "retryDelaySeconds"));
    var _ = retry.number("maxRetries", 5, 0, MOST_ATTEMPTS);
    var _ = retry.number("retryDelaySeconds", 10, 0, MOST_ATTEMPTS);
  }

  private TomlTable template() {
    return root.table("template", "[template]: ");
  }

  private Map<String, RemediationAction> section(JsonNode section, String path) {
    Map<String, RemediationAction> actions = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> entry : section.properties()) {
      String where = "[%s.\"%s\"]: ".formatted(path, entry.getKey());
      actions.put(entry.getKey(), action(entry.getKey(), root.of(entry.getValue(), where)));
    }
    return actions;
  }

  private RemediationAction action(String name, TomlTable action) {
    var _ =
        action.known(
            Set.of(
                "apiGroup",
                "version",
                "kind",
                "scope",
                "namespace",
                "completeConditionType",
                "templateFileName",
                "equivalenceGroup",
                "impactedEntityScope",
                "supersedingEquivalenceGroups"));
    String template = action.text("templateFileName", template().text("fileName"));
    if (template.isEmpty()) {
      throw action.invalid("templateFileName is missing");
    }
    read(template, action);
    return new RemediationAction(
        new MaintenanceKind(
            action.text("apiGroup"),
            action.required("version"),
            action.required("kind"),
            namespace(action),
            action.text("completeConditionType", COMPLETE)),
        template,
        action.required("equivalenceGroup"),
        entityScope(name, action),
        action.texts("supersedingEquivalenceGroups"));
  }

  private void read(String template, TomlTable action) {
    String folder = template().required("mountPath");
    try {
      templates.computeIfAbsent(template, name -> ResourceTemplate.read(Path.of(folder), name));
    } catch (ResourceTemplateInvalid unusable) {
      throw action.invalid(unusable.getMessage());
    }
  }

  private static String namespace(TomlTable action) {
    String scope = action.text("scope", "Cluster");
    String namespace = action.text("namespace");
    return switch (scope) {
      case "Cluster" -> "";
      case "Namespaced" -> {
        if (namespace.isEmpty()) {
          throw action.invalid("scope Namespaced needs a namespace");
        }
        yield namespace;
      }
      default ->
          throw action.invalid("scope \"%s\" is neither Cluster nor Namespaced".formatted(scope));
    };
  }

  private static Optional<String> entityScope(String name, TomlTable action) {
    String scope = action.text("impactedEntityScope");
    if (scope.isEmpty()) {
      return Optional.empty();
    }
    boolean partial =
        name.equals(RecommendedAction.COMPONENT_RESET.name())
            || !RecommendedAction.names().contains(name);
    if (!partial) {
      throw action.invalid("impactedEntityScope is only for COMPONENT_RESET and custom actions");
    }
    if (!ENTITIES.contains(scope)) {
      throw action.invalid(
          "impactedEntityScope \"%s\" is not %s".formatted(scope, String.join(" or ", ENTITIES)));
    }
    return Optional.of(scope);
  }

  private void checkSuperseding(RemediationAction action, List<RemediationAction> all) {
    for (String group : action.superseding()) {
      String what = "equivalence group \"%s\": its superseding group \"%s\"";
      List<RemediationAction> named =
          all.stream().filter(each -> each.group().equals(group)).toList();
      if (group.equals(action.group())) {
        throw root.invalid(what.formatted(action.group(), group) + " is the group itself");
      }
      if (named.isEmpty()) {
        throw root.invalid(what.formatted(action.group(), group) + " does not exist");
      }
      if (named.stream().anyMatch(each -> each.entityScope().isPresent())) {
        throw root.invalid(what.formatted(action.group(), group) + " has an impactedEntityScope");
      }
    }
  }
}
