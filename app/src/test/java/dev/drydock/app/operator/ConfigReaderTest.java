package dev.drydock.app.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.ExitCode;
import dev.drydock.drain.DrainFeature;
import dev.drydock.drain.request.decide.ServedRequests;
import dev.drydock.edge.EdgeFeature;
import dev.drydock.health.operator.HealthSettings;
import dev.drydock.health.operator.MaintenanceRequestSettings;
import dev.drydock.health.operator.NodeDrainerSettings;
import dev.drydock.health.operator.QuarantineSettings;
import dev.drydock.health.operator.RemediationSettings;
import dev.drydock.lifecycle.LifecycleFeature;
import dev.drydock.maintenance.MaintenanceSettings;
import dev.drydock.maintenance.MaintenanceSettings.Uncordon;
import dev.drydock.maintenance.decide.NoticeEvent;
import dev.drydock.maintenance.notify.ChannelSettings;
import dev.drydock.serve.feature.CoreSettings;
import dev.drydock.serve.feature.Features;
import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.feature.Settings;
import dev.drydock.slingshot.SlingshotSettings;
import dev.drydock.slingshot.SlingshotSettings.OriginalImage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigReaderTest {
  @TempDir private Path folder;

  private static EffectiveConfig read(
      Map<Setting<?>, String> flags, Map<String, String> environment, Optional<Path> file) {
    return read(new ConfigReader.Given(flags, environment, file, Path.of("no", "such", "file")));
  }

  private static EffectiveConfig read(ConfigReader.Given given) {
    return ConfigReader.read(given, Features.load(), Features.load());
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("config.yaml"), text);
  }

  private Settings config(String text) throws IOException {
    return read(Map.of(), Map.of(), Optional.of(file(text))).settings();
  }

  private String mistake(String text) throws IOException {
    Path file = file(text);
    return message(Map.of(), Map.of(), Optional.of(file)).replace(file + ": ", "");
  }

  private static String message(
      Map<Setting<?>, String> flags, Map<String, String> environment, Optional<Path> file) {
    try {
      return "accepted: " + read(flags, environment, file);
    } catch (CommandFailure refused) {
      assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE);
      return String.valueOf(refused.getMessage());
    }
  }

  @Test
  void withoutAnythingTheDefaultsCount() {
    Settings config = read(Map.of(), Map.of(), Optional.empty()).settings();

    assertThat(config.values())
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry(MaintenanceSettings.SLA_PERIOD, Duration.ofHours(5)),
                Map.entry(MaintenanceSettings.JOB_LOGS, true),
                Map.entry(QuarantineSettings.RULES, Optional.empty()),
                Map.entry(QuarantineSettings.DRY_RUN, false),
                Map.entry(QuarantineSettings.BREAKER_ENABLED, true),
                Map.entry(
                    QuarantineSettings.GPU_NODE_LABEL,
                    new QuarantineSettings.NodeLabel("nvidia.com/gpu.present", "true")),
                Map.entry(QuarantineSettings.METRICS_PER_NODE, true),
                Map.entry(HealthSettings.MESSAGE_LENGTH, 1024),
                Map.entry(HealthSettings.COMPACTED_LENGTH, 72),
                Map.entry(EdgeFeature.NODE_DRAIN_POLICY, Optional.empty()),
                Map.entry(SlingshotSettings.IMAGE, "drydock.local/drydock:latest"),
                Map.entry(SlingshotSettings.SIDECAR_IMAGE, ""),
                Map.entry(SlingshotSettings.ORIGINAL_IMAGES, OriginalImage.REPLACE),
                Map.entry(SlingshotSettings.WEBHOOK_CONFIGURATION, "slingshot-operator-cxidriver"),
                Map.entry(MaintenanceSettings.UNCORDON_DURING_MAINTENANCE, Uncordon.COMPLETE),
                Map.entry(CoreSettings.LEADER_ELECT, true),
                Map.entry(CoreSettings.LEADER_ELECT_LEASE, "drydock-operator"),
                Map.entry(NodeDrainerSettings.CONFIG, Optional.empty()),
                Map.entry(NodeDrainerSettings.DRY_RUN, false),
                Map.entry(NodeDrainerSettings.METRICS_PER_NODE, true),
                Map.entry(NodeDrainerSettings.REQUEUE_BACKOFF_BASE, Duration.ofSeconds(10)),
                Map.entry(HealthSettings.SLURM_DRAINS, Optional.empty()),
                Map.entry(RemediationSettings.CONFIG, Optional.empty()),
                Map.entry(RemediationSettings.NAMESPACE, "drydock-maintenance"),
                Map.entry(RemediationSettings.MAINTENANCE_CLASS, Optional.empty()),
                Map.entry(RemediationSettings.DRY_RUN, false),
                Map.entry(MaintenanceRequestSettings.PUBLISH_EVENTS, true),
                Map.entry(MaintenanceRequestSettings.NAMESPACE, "drydock-maintenance"),
                Map.entry(MaintenanceRequestSettings.MAINTENANCE_CLASS, Optional.empty()),
                Map.entry(CoreSettings.LEADER_ELECT_LEASE_DURATION, Duration.ofSeconds(15)),
                Map.entry(CoreSettings.SYNC_PERIOD, Duration.ofHours(10)),
                Map.entry(MaintenanceSettings.BUDGETS, List.of()),
                Map.entry(DrainFeature.SERVE, ServedRequests.NAMED),
                Map.entry(LifecycleFeature.UNCLAIMED_AFTER, Duration.ofMinutes(5)),
                Map.entry(HealthSettings.STORE_KIND, HealthSettings.StoreKind.AUTO),
                Map.entry(
                    HealthSettings.STORE_FOLDER, Optional.of(Path.of("/var/lib/drydock/health"))),
                Map.entry(HealthSettings.STORE_TTL, Duration.ofDays(30)),
                Map.entry(
                    HealthSettings.STORE_ADDRESS,
                    "platform-connector-deployment.nvsentinel.svc:50051"),
                Map.entry(
                    HealthSettings.STORE_CA_FILE,
                    Optional.of(Path.of("/etc/drydock/ingest-ca/ca.crt"))),
                Map.entry(
                    HealthSettings.STORE_TOKEN_FILE,
                    Optional.of(Path.of("/var/run/secrets/nvsentinel/platform-connector/token"))),
                Map.entry(HealthSettings.STORE_INSECURE, false),
                Map.entry(
                    HealthSettings.STORE_CLIENTS,
                    Set.of(
                        "system:serviceaccount:nvsentinel:fault-quarantine",
                        "system:serviceaccount:nvsentinel:node-drainer",
                        "system:serviceaccount:nvsentinel:fault-remediation")),
                Map.entry(HealthSettings.INGEST_ADDRESS, new InetSocketAddress(50051)),
                Map.entry(
                    HealthSettings.INGEST_TLS_FOLDER,
                    Optional.of(Path.of("/etc/drydock/ingest-tls"))),
                Map.entry(HealthSettings.INGEST_INSECURE, false),
                Map.entry(HealthSettings.INGEST_CONFIG, Optional.empty()),
                Map.entry(
                    HealthSettings.INGEST_AUDIENCE, "platform-connector.nvsentinel.nvidia.com"),
                Map.entry(
                    HealthSettings.INGEST_CONNECTORS,
                    Set.of("system:serviceaccount:nvsentinel:drydock-connector")),
                Map.entry(HealthSettings.INGEST_PUBLISHERS, Set.of()),
                Map.entry(
                    HealthSettings.LOG_ADDRESS,
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 50052)),
                Map.entry(CoreSettings.CERT_DIR, Optional.empty()),
                Map.entry(MaintenanceSettings.CHANNELS, List.of()),
                Map.entry(MaintenanceSettings.RETENTION, Duration.ofHours(24)),
                Map.entry(CoreSettings.METRICS_ENABLED, true),
                Map.entry(CoreSettings.METRICS_PORT, 8383),
                Map.entry(CoreSettings.METRICS_TLS, true),
                Map.entry(MaintenanceSettings.METRICS_PER_OBJECT, true),
                Map.entry(MaintenanceSettings.METRICS_KEEP_GONE, Duration.ofHours(24)),
                Map.entry(MaintenanceSettings.METRICS_MOST_GONE, 1000),
                Map.entry(CoreSettings.HEALTH_BIND_ADDRESS, new InetSocketAddress(8081)),
                Map.entry(CoreSettings.WEBHOOK_ENABLED, true),
                Map.entry(CoreSettings.WEBHOOK_PORT, 9443),
                Map.entry(CoreSettings.WEBHOOK_CLIENT_CA, Optional.empty()),
                Map.entry(CoreSettings.WEBHOOK_CERT_SECRET, "pika-server-cert"),
                Map.entry(CoreSettings.WEBHOOK_SERVICE, "drydock-operator")));
  }

  @Test
  void aFullFileIsRead() throws IOException {
    Settings config =
        config(
            """
            slaPeriod: 1h30m
            uncordonDuringMaintenance: recordon
            leaderElect: false
            leaderElectLeaseDuration: 30s
            syncPeriod: 2h
            lifecycle:
              unclaimedAfter: 90s
            certDir: /certs
            notifications:
              retention: 48h
              channels:
                - type: sns
                - {type: webhook, name: audit, url: "https://audit.example/hook", secretFile: /s/key}
                - type: slack
                  urlFile: /s/url
                  events: [SLAExpired, MaintenanceIncomplete]
            metrics: {port: 1234, tls: false, perObject: false, keepGone: 1h, mostGone: 10}
            health:
              bindAddress: 127.0.0.1:0
            webhook:
              enabled: false
              port: 0
              clientCa: /ca.crt
              certSecret: other
            """);

    assertThat(config.get(MaintenanceSettings.SLA_PERIOD)).isEqualTo(Duration.ofMinutes(90));
    assertThat(config.get(MaintenanceSettings.UNCORDON_DURING_MAINTENANCE))
        .isEqualTo(Uncordon.RECORDON);
    assertThat(config.get(CoreSettings.LEADER_ELECT)).isFalse();
    assertThat(config.get(CoreSettings.LEADER_ELECT_LEASE_DURATION))
        .isEqualTo(Duration.ofSeconds(30));
    assertThat(config.get(CoreSettings.SYNC_PERIOD)).isEqualTo(Duration.ofHours(2));
    assertThat(config.get(LifecycleFeature.UNCLAIMED_AFTER)).isEqualTo(Duration.ofSeconds(90));
    assertThat(config.get(CoreSettings.CERT_DIR)).contains(Path.of("/certs"));
    assertThat(config.get(MaintenanceSettings.RETENTION)).isEqualTo(Duration.ofDays(2));
    assertThat(config.get(MaintenanceSettings.CHANNELS))
        .containsExactly(
            ChannelSettings.of(ChannelSettings.Type.SNS),
            ChannelSettings.webhook("https://audit.example/hook", Path.of("/s/key")).named("audit"),
            ChannelSettings.slack(Path.of("/s/url"))
                .only(Set.of(NoticeEvent.SLA_EXPIRED, NoticeEvent.MAINTENANCE_INCOMPLETE)));
    assertThat(config.get(CoreSettings.METRICS_PORT)).isEqualTo(1234);
    assertThat(config.get(CoreSettings.METRICS_TLS)).isFalse();
    assertThat(config.get(MaintenanceSettings.METRICS_PER_OBJECT)).isFalse();
    assertThat(config.get(MaintenanceSettings.METRICS_KEEP_GONE)).isEqualTo(Duration.ofHours(1));
    assertThat(config.get(MaintenanceSettings.METRICS_MOST_GONE)).isEqualTo(10);
    assertThat(config.get(CoreSettings.HEALTH_BIND_ADDRESS))
        .isEqualTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    assertThat(config.get(CoreSettings.WEBHOOK_ENABLED)).isFalse();
    assertThat(config.get(CoreSettings.WEBHOOK_PORT)).isZero();
    assertThat(config.get(CoreSettings.WEBHOOK_CERT_SECRET)).isEqualTo("other");
    assertThat(config.get(CoreSettings.WEBHOOK_CLIENT_CA)).contains(Path.of("/ca.crt"));
  }

  @ParameterizedTest
  @CsvSource({"5h, PT5H", "1h30m, PT1H30M", "90s, PT1M30S", "1.5h, PT1H30M", "500ms, PT0.5S"})
  void theFileOfTheOriginalOperatorWorksUnchanged(String text, Duration meant) throws IOException {
    assertThat(config("slaPeriod: " + text + "\n").get(MaintenanceSettings.SLA_PERIOD))
        .isEqualTo(meant);
  }

  @Test
  void aFlagCountsBeforeAVariableAndThatBeforeTheFile() throws IOException {
    Path file = file("slaPeriod: 1h\nsyncPeriod: 1h\nmetrics: {port: 1}");

    EffectiveConfig effective =
        read(
            Map.of(MaintenanceSettings.SLA_PERIOD, "3h"),
            Map.of("DRYDOCK_SLA_PERIOD", "2h", "DRYDOCK_SYNC_PERIOD", "2h"),
            Optional.of(file));

    assertThat(effective.settings().get(MaintenanceSettings.SLA_PERIOD))
        .isEqualTo(Duration.ofHours(3));
    assertThat(effective.settings().get(CoreSettings.SYNC_PERIOD)).isEqualTo(Duration.ofHours(2));
    assertThat(effective.settings().get(CoreSettings.METRICS_PORT)).isEqualTo(1);
    assertThat(effective.yaml())
        .contains("slaPeriod: 3h # --sla-period\n")
        .contains("syncPeriod: 2h # DRYDOCK_SYNC_PERIOD\n")
        .contains("  port: 1 # " + file + "\n")
        .contains("  tls: true # default\n");
  }

  @Test
  void aVariableOfTheOriginalIsReadUnlessOursIsSet() {
    Map<String, String> original = Map.of("RETRY_HANDLER_IMAGE", "theirs");
    assertThat(
            read(Map.of(), original, Optional.empty())
                .settings()
                .get(SlingshotSettings.SIDECAR_IMAGE))
        .isEqualTo("theirs");

    Map<String, String> both = new HashMap<>(original);
    both.put("DRYDOCK_SLINGSHOT_SIDECAR_IMAGE", "ours");
    assertThat(
            read(Map.of(), both, Optional.empty()).settings().get(SlingshotSettings.SIDECAR_IMAGE))
        .isEqualTo("ours");
  }

  @Test
  void everyVariableIsReadAndEveryFlagIs() {
    Map<Setting<?>, String> other =
        Map.ofEntries(
            Map.entry(MaintenanceSettings.SLA_PERIOD, "1h"),
            Map.entry(MaintenanceSettings.JOB_LOGS, "false"),
            Map.entry(QuarantineSettings.RULES, "/r.toml"),
            Map.entry(QuarantineSettings.DRY_RUN, "true"),
            Map.entry(QuarantineSettings.BREAKER_ENABLED, "false"),
            Map.entry(QuarantineSettings.GPU_NODE_LABEL, "gpu=yes"),
            Map.entry(QuarantineSettings.METRICS_PER_NODE, "false"),
            Map.entry(HealthSettings.INGEST_CONFIG, "/c.json"),
            Map.entry(HealthSettings.MESSAGE_LENGTH, "512"),
            Map.entry(HealthSettings.COMPACTED_LENGTH, "50"),
            Map.entry(EdgeFeature.NODE_DRAIN_POLICY, "always-allow"),
            Map.entry(SlingshotSettings.IMAGE, "i"),
            Map.entry(SlingshotSettings.SIDECAR_IMAGE, "i"),
            Map.entry(SlingshotSettings.ORIGINAL_IMAGES, "keep"),
            Map.entry(SlingshotSettings.WEBHOOK_CONFIGURATION, "c"),
            Map.entry(MaintenanceSettings.UNCORDON_DURING_MAINTENANCE, "recordon"),
            Map.entry(CoreSettings.LEADER_ELECT, "false"),
            Map.entry(CoreSettings.LEADER_ELECT_LEASE, "drydock-operator-other"),
            Map.entry(NodeDrainerSettings.CONFIG, "/d.toml"),
            Map.entry(NodeDrainerSettings.DRY_RUN, "true"),
            Map.entry(NodeDrainerSettings.METRICS_PER_NODE, "false"),
            Map.entry(NodeDrainerSettings.REQUEUE_BACKOFF_BASE, "1s"),
            Map.entry(HealthSettings.SLURM_DRAINS, "/s.yaml"),
            Map.entry(RemediationSettings.CONFIG, "/r.toml"),
            Map.entry(RemediationSettings.NAMESPACE, "ops"),
            Map.entry(RemediationSettings.MAINTENANCE_CLASS, "reboot"),
            Map.entry(RemediationSettings.DRY_RUN, "true"),
            Map.entry(MaintenanceRequestSettings.PUBLISH_EVENTS, "false"),
            Map.entry(MaintenanceRequestSettings.NAMESPACE, "ops"),
            Map.entry(MaintenanceRequestSettings.MAINTENANCE_CLASS, "reboot"),
            Map.entry(CoreSettings.LEADER_ELECT_LEASE_DURATION, "3s"),
            Map.entry(CoreSettings.SYNC_PERIOD, "1h"),
            Map.entry(MaintenanceSettings.BUDGETS, "[{maxUnavailable: 1}]"),
            Map.entry(LifecycleFeature.UNCLAIMED_AFTER, "1h"),
            Map.entry(DrainFeature.SERVE, "unclaimed"),
            Map.entry(HealthSettings.STORE_KIND, "embedded"),
            Map.entry(HealthSettings.STORE_FOLDER, "/e"),
            Map.entry(HealthSettings.STORE_TTL, "1h"),
            Map.entry(HealthSettings.STORE_ADDRESS, "store:1"),
            Map.entry(HealthSettings.STORE_CA_FILE, "/ca"),
            Map.entry(HealthSettings.STORE_TOKEN_FILE, "/token"),
            Map.entry(HealthSettings.STORE_INSECURE, "true"),
            Map.entry(HealthSettings.STORE_CLIENTS, "[]"),
            Map.entry(HealthSettings.INGEST_ADDRESS, "127.0.0.1:4"),
            Map.entry(HealthSettings.INGEST_TLS_FOLDER, "/t"),
            Map.entry(HealthSettings.INGEST_INSECURE, "true"),
            Map.entry(HealthSettings.INGEST_AUDIENCE, "other"),
            Map.entry(HealthSettings.INGEST_CONNECTORS, "[]"),
            Map.entry(HealthSettings.INGEST_PUBLISHERS, "['system:serviceaccount:a:b']"),
            Map.entry(HealthSettings.LOG_ADDRESS, "127.0.0.1:5"),
            Map.entry(CoreSettings.CERT_DIR, "/c"),
            Map.entry(MaintenanceSettings.CHANNELS, "[{type: sns}]"),
            Map.entry(MaintenanceSettings.RETENTION, "1h"),
            Map.entry(CoreSettings.METRICS_ENABLED, "false"),
            Map.entry(CoreSettings.METRICS_PORT, "1"),
            Map.entry(CoreSettings.METRICS_TLS, "false"),
            Map.entry(MaintenanceSettings.METRICS_PER_OBJECT, "false"),
            Map.entry(MaintenanceSettings.METRICS_KEEP_GONE, "2h"),
            Map.entry(MaintenanceSettings.METRICS_MOST_GONE, "7"),
            Map.entry(CoreSettings.HEALTH_BIND_ADDRESS, "127.0.0.1:2"),
            Map.entry(CoreSettings.WEBHOOK_ENABLED, "false"),
            Map.entry(CoreSettings.WEBHOOK_PORT, "3"),
            Map.entry(CoreSettings.WEBHOOK_CLIENT_CA, "/ca.crt"),
            Map.entry(CoreSettings.WEBHOOK_CERT_SECRET, "s"),
            Map.entry(CoreSettings.WEBHOOK_SERVICE, "s"));
    assertThat(other.keySet()).containsExactlyInAnyOrderElementsOf(ConfigReader.known());
    Settings usual = read(Map.of(), Map.of(), Optional.empty()).settings();

    other.forEach(
        (key, value) -> {
          Settings byVariable =
              read(Map.of(), Map.of(key.variable(), value), Optional.empty()).settings();
          assertThat(byVariable).as(key.variable()).isNotEqualTo(usual);
          assertThat(read(Map.of(key, value), Map.of(), Optional.empty()).settings())
              .as(key.flag())
              .isEqualTo(byVariable);
        });
  }

  @Test
  void whatIsPrintedSaysTheSame() throws IOException {
    EffectiveConfig effective =
        read(
            Map.of(
                CoreSettings.HEALTH_BIND_ADDRESS,
                "127.0.0.1:1",
                MaintenanceSettings.CHANNELS,
                "[{type: slack, urlFile: /a b, events: [SLAExpired]}]"),
            Map.of("DRYDOCK_CERT_DIR", "/a: #b"),
            Optional.empty());

    assertThat(config(effective.yaml())).isEqualTo(effective.settings());
  }

  @Test
  void whatMayBeASecretIsNotPrinted() {
    String channels = "[{type: slack, url: 'https://hooks.example/services/T0/B0/secret'}]";

    String yaml =
        read(Map.of(MaintenanceSettings.CHANNELS, channels), Map.of(), Optional.empty()).yaml();

    assertThat(yaml).contains("https://hooks.example/...").doesNotContain("secret'", "T0");
  }

  @Test
  void aFileWithoutADeadlineIsRefusedUnlessSomebodyElseSaysIt() throws IOException {
    assertThat(mistake("metrics: {port: 1}\n"))
        .isEqualTo("slaPeriod is missing; write e.g. slaPeriod: 5h");
    assertThat(mistake("")).contains("slaPeriod is missing");
    assertThat(mistake("slaPeriod:\n")).contains("slaPeriod is missing");

    Path file = file("metrics: {port: 1}\n");
    assertThat(
            read(Map.of(), Map.of("DRYDOCK_SLA_PERIOD", "2h"), Optional.of(file))
                .settings()
                .get(MaintenanceSettings.SLA_PERIOD))
        .isEqualTo(Duration.ofHours(2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0s", "-5h", "5", "five hours", "5d", "[5h]", "''"})
  void aDeadlineThatIsNoneIsRefused(String value) throws IOException {
    assertThat(mistake("slaPeriod: " + value + "\n")).startsWith("slaPeriod: ");
  }

  @Test
  void anUnknownKeyIsRefusedWithTheNearest() throws IOException {
    assertThat(mistake("slaPeriods: 5h\nslaPeriod: 5h\n"))
        .isEqualTo("slaPeriods: there is no such key; did you mean \"slaPeriod\"?");
    assertThat(mistake("slaPeriod: 5h\nmetrics: {prot: 1}\n"))
        .isEqualTo("metrics.prot: there is no such key; did you mean \"port\"?");
    assertThat(mistake("slaPeriod: 5h\nhealth: {nonsense: 1}\n"))
        .isEqualTo("health.nonsense: there is no such key; use one of bindAddress");
    assertThat(mistake("slaPeriod: 5h\nnotifications: {channels: [{type: sns, evnts: []}]}\n"))
        .isEqualTo(
            "notifications.channels[0].evnts: there is no such key; did you mean \"events\"?");
    assertThat(
            mistake(
                "slaPeriod: 5h\nnotifications: {channels: [{type: sns, events: [SLAExpird]}]}\n"))
        .isEqualTo(
            "notifications.channels[0].events: there is no event \"SLAExpird\";"
                + " did you mean \"SLAExpired\"?");
  }

  @Test
  void everyMistakeIsToldAtOnceWithItsSource() throws IOException {
    Path file = file("slaPeriod: x\nmetrics: 5\n");

    String told =
        message(
            Map.of(CoreSettings.METRICS_PORT, "70000"),
            Map.of("DRYDOCK_WEBHOOK_PORT", "tcp://10.0.0.1:443"),
            Optional.of(file));

    assertThat(told)
        .contains(
            file + ": slaPeriod: \"x\" should be a duration greater than 0, such as 5h or 1h30m")
        .contains(file + ": metrics: must be a mapping")
        .contains("--metrics-port: \"70000\" should be a port from 0 to 65535")
        .contains("DRYDOCK_WEBHOOK_PORT: \"tcp://10.0.0.1:443\" should be a port");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "uncordonDuringMaintenance: never | \"never\" should be complete or recordon",
        "leaderElect: maybe | \"maybe\" should be true or false",
        "leaderElect: [a] | should be one value",
        "leaderElectLeaseDuration: 2s | \"2s\" should be a duration of at least 3s",
        "health: {bindAddress: here} | should be an address such as :8081",
        "webhook: {certSecret: A_B} | should be a name of lowercase letters",
        "budgets: 5 | must be a list, for example",
        "budgets: [{maxUnavailable: 0}] | budgets[0].maxUnavailable: 0 never lets a node leave",
        "budgets: [{maxUnavailabel: 1}] | did you mean \"maxUnavailable\"?",
        "notifications: {channels: 5} | must be a list of channels",
        "notifications: {channels: [5]} | channels[0]: must be a mapping",
        "notifications: {channels: [{type: mail}]} | \"mail\" should be sns, webhook or slack",
        "notifications: {channels: [{type: slack}]} | slack needs url or urlFile",
        "notifications: {channels: [{type: webhook, url: 'http://x'}]} | webhook needs secretFile",
        "notifications: {channels: [{type: sns}, {type: sns}]} | duplicate channel name SNSNotifier",
        "notifications: {channels: [{type: slack, url: a, urlFile: b}]} | not both",
        "notifications: {channels: [{type: slack, url: 'ftp://x'}]} | url is not an http:// or https:// address",
        "slaPeriod: 6h | line 2: Duplicate",
        "metrics: { | line ",
      })
  void aValueThatMakesNoSenseIsRefused(String line, String told) throws IOException {
    assertThat(mistake("slaPeriod: 5h\n" + line + "\n")).contains(told);
  }

  @Test
  void aFileThatIsNamedMustBeThere() throws IOException {
    Path none = folder.resolve("none.yaml");
    assertThat(message(Map.of(), Map.of(), Optional.of(none))).startsWith(none + ": no such file");
    assertThat(message(Map.of(), Map.of("DRYDOCK_CONFIG", none.toString()), Optional.empty()))
        .startsWith(none + ": no such file");
    assertThat(mistake("just text")).startsWith("must be a YAML mapping");
  }

  @Test
  void theUsualFileIsReadIfItIsThereAndNoOtherIsNamed() throws IOException {
    Path usual = file("slaPeriod: 7h\n");
    Path other = Files.writeString(folder.resolve("other.yaml"), "slaPeriod: 8h\n");
    Map<String, String> named = Map.of("DRYDOCK_CONFIG", other.toString());

    assertThat(period(new ConfigReader.Given(Map.of(), Map.of(), Optional.empty(), usual)))
        .isEqualTo(Duration.ofHours(7));
    assertThat(period(new ConfigReader.Given(Map.of(), named, Optional.empty(), usual)))
        .isEqualTo(Duration.ofHours(8));
    assertThat(period(new ConfigReader.Given(Map.of(), named, Optional.of(usual), other)))
        .isEqualTo(Duration.ofHours(7));
    assertThatThrownBy(
            () ->
                read(
                    new ConfigReader.Given(
                        Map.of(),
                        Map.of(),
                        Optional.empty(),
                        Files.createTempFile(folder, "", ""))))
        .hasMessageContaining("slaPeriod is missing");
  }

  private static Duration period(ConfigReader.Given given) {
    return read(given).settings().get(MaintenanceSettings.SLA_PERIOD);
  }

  @Test
  void aPartThatIsOffNeedsNoSettingsAndTheyAreNotJudged() throws IOException {
    Path file = file("lifecycle: {unclaimedAfter: 1m}\nuncordonDuringMaintenance: never\n");
    Features lifecycle = Features.load().only(List.of("lifecycle"));

    EffectiveConfig effective =
        ConfigReader.read(
            new ConfigReader.Given(Map.of(), Map.of(), Optional.of(file), file),
            lifecycle,
            lifecycle);

    assertThat(effective.settings().get(LifecycleFeature.UNCLAIMED_AFTER))
        .isEqualTo(Duration.ofMinutes(1));
    assertThat(effective.yaml()).contains("unclaimedAfter: 1m").doesNotContain("slaPeriod");
  }
}
