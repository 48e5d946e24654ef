package dev.drydock.health.connector;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.cli.NearestName;
import dev.drydock.contracts.GoDuration;
import dev.drydock.health.transform.Deduplicator;
import dev.drydock.health.transform.MetadataAugmentor;
import dev.drydock.health.transform.OverrideTransformer;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the connector's {@code config.json}, of any release of the original. Keys that nobody knows
 * are warned about; values that cannot be meant are refused.
 */
public final class ConnectorConfigReader {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectorConfigReader.class);

  private static final String BINDING = "enableNodeBindingAuth";
  private static final String AUDIENCE = "AuthAudience";
  private static final String ACCOUNTS = "AuthCrossNodeServiceAccounts";
  private static final String MODE = "AuthMode";
  private static final String FAIL_OPEN = "AuthFailOpenOnUnavailable";
  private static final String COUNT = "enablePromPlatformConnector";
  private static final String CONDITIONS = "enableK8sPlatformConnector";
  private static final String SINK = "enableGRPCSinkConnector";
  private static final String RETRIES = "K8sConnectorMaxRetries";
  private static final String RETRY_TIME = "K8sConnectorMaxRetryDuration";
  private static final Duration LONGEST_RETRY = Duration.ofMinutes(5);

  /** Those that say something to other parts, or to nobody here, are known as well. */
  private static final Set<String> KNOWN =
      Set.of(
          CONDITIONS,
          "enableMongoDBStorePlatformConnector",
          "enablePostgresDBStorePlatformConnector",
          SINK,
          COUNT,
          "K8sConnectorQps",
          "K8sConnectorBurst",
          RETRIES,
          RETRY_TIME,
          "MaxNodeConditionMessageLength",
          "CompactedHealthEventMsgLen",
          "StoreConnectorMaxRetries",
          "GRPCSinkTarget",
          "GRPCSinkConnectorMaxRetries",
          "GRPCSinkTokenPath",
          BINDING,
          AUDIENCE,
          ACCOUNTS,
          MODE,
          FAIL_OPEN,
          "deployment",
          "pipeline");

  private static final List<String> TRANSFORMERS =
      List.of(MetadataAugmentor.NAME, OverrideTransformer.NAME, Deduplicator.NAME);

  private final Path file;
  private final JsonNode json;

  private ConnectorConfigReader(Path file, JsonNode json) {
    this.file = file;
    this.json = json;
  }

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException with one line that says what is wrong where
   */
  public static ConnectorConfig read(Path file) {
    try {
      JsonNode json = Json.read(Files.readString(file));
      if (!json.isObject()) {
        throw new IllegalArgumentException(file + ": should be a JSON object");
      }
      return new ConnectorConfigReader(file, json).read();
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException(
          "%s, line %d: %s"
              .formatted(
                  file,
                  wrong.getLocation() == null ? 0 : wrong.getLocation().getLineNr(),
                  String.valueOf(wrong.getOriginalMessage())),
          wrong);
    } catch (IOException unreadable) {
      throw new IllegalArgumentException(
          "cannot read %s: %s".formatted(file, unreadable.getMessage()), unreadable);
    }
  }

  private ConnectorConfig read() {
    json.fieldNames()
        .forEachRemaining(
            key -> {
              if (!KNOWN.contains(key)) {
                LOG.warn("{}: {} is not known; {}", file, key, NearestName.meant(key, KNOWN));
              }
            });
    checkWithoutEffect();
    return new ConnectorConfig(pipeline(), auth(), flag(COUNT).orElse(false));
  }

  /** What other parts do, or nobody, is checked as well, and whoever relies on it is told. */
  private void checkWithoutEffect() {
    if (!flag(CONDITIONS).orElse(true)) {
      LOG.warn("{}: {} has no effect: the operator shows failures on Nodes", file, CONDITIONS);
    }
    if (flag(SINK).orElse(false)) {
      LOG.warn("{}: {} has no effect: all events go to the central ingest", file, SINK);
    }
    if (json.path(RETRIES).asInt(0) < 0) {
      throw wrong(RETRIES + " should not be negative");
    }
    String time = json.path(RETRY_TIME).asText("0s");
    boolean possible =
        GoDuration.find(time)
            .filter(each -> !each.isNegative() && each.compareTo(LONGEST_RETRY) <= 0)
            .isPresent();
    if (!possible) {
      throw wrong("%s should be a time of at most 5m, not \"%s\"".formatted(RETRY_TIME, time));
    }
  }

  private List<ConnectorConfig.Stage> pipeline() {
    JsonNode entries = json.path("pipeline");
    if (!entries.isArray() || entries.isEmpty()) {
      throw wrong("pipeline should be a list of {name, enabled, config} with at least one entry");
    }
    List<ConnectorConfig.Stage> stages = new ArrayList<>();
    for (JsonNode entry : entries) {
      JsonNode name = entry.path("name");
      JsonNode enabled = entry.path("enabled");
      JsonNode config = entry.path("config");
      if (!name.isTextual() || !enabled.isBoolean() || !config.isTextual()) {
        throw wrong(
            "each entry of pipeline needs name (text), enabled (true or false) and config (a path)");
      }
      if (!TRANSFORMERS.contains(name.textValue())) {
        throw wrong(
            "pipeline: there is no transformer \"%s\"; %s"
                .formatted(name.textValue(), NearestName.meant(name.textValue(), TRANSFORMERS)));
      }
      if (enabled.booleanValue()) {
        stages.add(new ConnectorConfig.Stage(name.textValue(), Path.of(config.textValue())));
      }
    }
    return stages;
  }

  private ConnectorConfig.Auth auth() {
    Optional<Boolean> binding = flag(BINDING);
    if (binding.isEmpty()) {
      LOG.warn(
          "{} has no {}: callers are checked as if it were true, with no {} but the default and an empty {}",
          file,
          BINDING,
          AUDIENCE,
          ACCOUNTS);
      return ConnectorConfig.Auth.STRICT;
    }
    if (!binding.get()) {
      return new ConnectorConfig.Auth(
          false, ConnectorConfig.Auth.DEFAULT_AUDIENCE, Set.of(), false, false);
    }
    String audience = json.path(AUDIENCE).asText("");
    if (audience.isBlank()) {
      throw wrong("%s is true, so %s is needed".formatted(BINDING, AUDIENCE));
    }
    String mode = json.path(MODE).asText("enforce");
    if (!mode.equals("enforce") && !mode.equals("audit")) {
      throw wrong("%s should be enforce or audit, not \"%s\"".formatted(MODE, mode));
    }
    return new ConnectorConfig.Auth(
        true, audience, accounts(), mode.equals("audit"), flag(FAIL_OPEN).orElse(false));
  }

  private Set<String> accounts() {
    JsonNode list = json.path(ACCOUNTS);
    if (!list.isArray()) {
      throw wrong(
          "%s should be a list, [] if there are none, because %s is true"
              .formatted(ACCOUNTS, BINDING));
    }
    Set<String> accounts = new LinkedHashSet<>();
    for (JsonNode each : list) {
      if (!each.isTextual() || !each.textValue().matches(ConnectorConfig.Auth.ACCOUNT)) {
        throw wrong(
            "%s: %s should be system:serviceaccount:NAMESPACE:NAME".formatted(ACCOUNTS, each));
      }
      accounts.add(each.textValue());
    }
    return accounts;
  }

  /** The strings "true" and "false", or the values. */
  private Optional<Boolean> flag(String key) {
    JsonNode value = json.path(key);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    if (!value.isValueNode() || !List.of("true", "false").contains(value.asText())) {
      throw wrong("%s should be true or false, not %s".formatted(key, value));
    }
    return Optional.of(Boolean.valueOf(value.asText()));
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(file + ": " + what);
  }
}
