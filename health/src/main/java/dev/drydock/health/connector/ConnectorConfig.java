package dev.drydock.health.connector;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What the connector's {@code config.json} says.
 *
 * @param stages in their order, those that are enabled
 * @param auth who may send what
 */
public record ConnectorConfig(List<Stage> stages, Auth auth, boolean countEvents) {
  public ConnectorConfig {
    stages = List.copyOf(stages);
  }

  /** An entry of the pipeline with its file. */
  public record Stage(String name, Path file) {}

  /**
   * How callers are checked.
   *
   * @param nodeBinding whether they are
   * @param audit whether refusals are only counted
   */
  public record Auth(
      boolean nodeBinding,
      String audience,
      Set<String> crossNodeAccounts,
      boolean audit,
      boolean failOpen) {
    public static final String DEFAULT_AUDIENCE = "platform-connector.nvsentinel.nvidia.com";

    /** How the accounts of callers are written. */
    public static final String ACCOUNT = "system:serviceaccount:[a-z0-9-]+:[a-z0-9.-]+";

    public Auth {
      crossNodeAccounts = Set.copyOf(crossNodeAccounts);
    }

    /** Events about this node from anybody on it; about others from nobody. */
    public static final Auth STRICT = new Auth(true, DEFAULT_AUDIENCE, Set.of(), false, false);
  }

  /** The configuration without a file: no transformers. */
  public static final ConnectorConfig DEFAULT = new ConnectorConfig(List.of(), Auth.STRICT, false);
}
