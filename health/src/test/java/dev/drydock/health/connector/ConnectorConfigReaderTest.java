package dev.drydock.health.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectorConfigReaderTest {
  private static final String PIPELINE =
      """
      "pipeline": [
        {"name": "MetadataAugmentor", "enabled": true, "config": "/etc/config/metadata.toml"},
        {"name": "Deduplicator", "enabled": false, "config": "/etc/config/dedup.toml"}]
      """;

  @TempDir private Path folder;

  private ConnectorConfig read(String json) throws IOException {
    return ConnectorConfigReader.read(Files.writeString(folder.resolve("config.json"), json));
  }

  @Test
  void theFileOfJulyIsReadUnchanged() throws IOException {
    ConnectorConfig config =
        read(
            """
            {"enableK8sPlatformConnector": "true", "enableMongoDBStorePlatformConnector": "true",
             "enablePostgresDBStorePlatformConnector": "false", "enableGRPCSinkConnector": "false",
             "K8sConnectorQps": 5.00, "K8sConnectorBurst": 10, "MaxNodeConditionMessageLength": 1024,
             "CompactedHealthEventMsgLen": 72, "StoreConnectorMaxRetries": 3, "GRPCSinkTarget": "",
             "GRPCSinkConnectorMaxRetries": 3, "GRPCSinkTokenPath": "", %s}
            """
                .formatted(PIPELINE));

    assertThat(config.auth()).isEqualTo(ConnectorConfig.Auth.STRICT);
    assertThat(config.stages())
        .containsExactly(
            new ConnectorConfig.Stage("MetadataAugmentor", Path.of("/etc/config/metadata.toml")));
  }

  @Test
  void theNewestFileIsReadUnchanged() throws IOException {
    ConnectorConfig config =
        read(
            """
            {"enableNodeBindingAuth": "true", "AuthAudience": "aud",
             "AuthCrossNodeServiceAccounts": ["system:serviceaccount:nvsentinel:csp-health-monitor"],
             "AuthMode": "audit", "AuthFailOpenOnUnavailable": true,
             "enablePromPlatformConnector": true, "K8sConnectorMaxRetryDuration": "1m", %s}
            """
                .formatted(PIPELINE));

    assertThat(config.auth().audience()).isEqualTo("aud");
    assertThat(config.auth().audit()).isTrue();
    assertThat(config.auth().failOpen()).isTrue();
    assertThat(config.auth().crossNodeAccounts()).hasSize(1);
    assertThat(config.countEvents()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{ | line 1",
        "[] | should be a JSON object",
        "{} | pipeline",
        "{\"pipeline\": []} | pipeline",
        "{\"pipeline\": [{\"name\": \"Deduplicator\", \"enabled\": \"true\", \"config\": \"x\"}]} | enabled",
        "{\"pipeline\": [{\"name\": \"Deduplicater\", \"enabled\": true, \"config\": \"x\"}]} | did you mean \"Deduplicator",
        "{PIPELINE, \"enableNodeBindingAuth\": \"yes\"} | enableNodeBindingAuth should be true or false",
        "{PIPELINE, \"enableNodeBindingAuth\": true} | AuthAudience",
        "{PIPELINE, \"enableGRPCSinkConnector\": \"on\"} | enableGRPCSinkConnector should be true or false",
        "{PIPELINE, \"K8sConnectorMaxRetries\": -1} | K8sConnectorMaxRetries should not be negative",
        "{PIPELINE, \"K8sConnectorMaxRetryDuration\": \"6m\"} | at most 5m",
        "{PIPELINE, \"K8sConnectorMaxRetryDuration\": \"-1s\"} | at most 5m",
        "{PIPELINE, \"enableNodeBindingAuth\": true, \"AuthAudience\": \"a\"} | AuthCrossNodeServiceAccounts",
        "{PIPELINE, \"enableNodeBindingAuth\": true, \"AuthAudience\": \"a\", \"AuthCrossNodeServiceAccounts\": null} | AuthCrossNodeServiceAccounts",
        "{PIPELINE, \"enableNodeBindingAuth\": true, \"AuthAudience\": \"a\", \"AuthCrossNodeServiceAccounts\": [\"x\"]} | system:serviceaccount",
        "{PIPELINE, \"enableNodeBindingAuth\": true, \"AuthAudience\": \"a\", \"AuthCrossNodeServiceAccounts\": [], \"AuthMode\": \"off\"} | enforce or audit",
      })
  void whatCannotBeMeantIsRefused(String json, String message) {
    assertThatThrownBy(() -> read(json.replace("PIPELINE", PIPELINE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("config.json")
        .hasMessageContaining(message);
  }
}
