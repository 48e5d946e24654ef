package dev.drydock.health.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.health.FaultQuarantineFeature;
import dev.drydock.health.IngestFeature;
import dev.drydock.health.connector.CallHeaders;
import dev.drydock.health.connector.ConnectorConfig;
import dev.drydock.health.connector.ConnectorSettings;
import dev.drydock.health.connector.Forwarder;
import dev.drydock.health.connector.RunningConnector;
import dev.drydock.health.connector.TestCertificate;
import dev.drydock.health.event.EventMessages;
import dev.drydock.health.spool.SpoolLimits;
import dev.drydock.health.store.Change;
import dev.drydock.health.store.ChangeFeed;
import dev.drydock.health.store.ChangeFilter;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.FeedStart;
import dev.drydock.health.store.StatusUpdate;
import dev.drydock.health.store.StoreUnavailable;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.health.wire.PlatformConnectorGrpc;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.feature.Feature;
import dev.drydock.serve.feature.LeaderTerm;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.feature.Settings;
import dev.drydock.serve.socket.TcpChannels;
import dev.drydock.serve.socket.UnixSockets;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.CommandOutcome;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.Ports;
import dev.drydock.testkit.ProcessOptions;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * From the socket of a node over TLS to the cordon, with tokens that a real API server issues and
 * checks, and with exactly the rights of the manifests in deploy/health.
 */
@ClusterTest
class HealthOnRealClusterIT {
  private static final Path DEPLOY = Path.of("..", "deploy", "health");
  private static final String NAMESPACE = "nvsentinel";
  private static final String ACCOUNTS = "system:serviceaccount:" + NAMESPACE + ":";
  private static final String AUDIENCE = ConnectorConfig.Auth.DEFAULT_AUDIENCE;

  private static final String RULES =
      """
      [circuitBreaker]
      percentage = 0
      maxNodes = 2
      duration = "1h"
      slowAtPercentage = 100

      [[rule-sets]]
      enabled = true
      name = "fatal"
      [[rule-sets.match.all]]
      kind = "HealthEvent"
      expression = "event.isFatal"
      [rule-sets.cordon]
      shouldCordon = true
      """;

  @TempDir private Path folder;

  private final ControlPlane controlPlane;
  private final TestCluster cluster;
  private final List<AutoCloseable> open = new ArrayList<>();
  private int ingestPort;
  private int logPort;
  private String node = "";
  private String other = "";
  private String third = "";

  HealthOnRealClusterIT(ControlPlane controlPlane) {
    this.controlPlane = controlPlane;
    cluster = TestCluster.real(controlPlane);
  }

  @BeforeEach
  void start() throws Exception {
    applyRights();
    node = cluster.addNode(ownName("node-1"));
    other = cluster.addNode(ownName("node-2"));
    third = cluster.addNode(ownName("node-3"));
    TestCertificate.write(folder.resolve("tls"));
    Files.writeString(folder.resolve("rules.toml"), RULES);
    ingestPort = Ports.free();
    logPort = Ports.free();
    ingest();
    quarantine();
    connector();
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : open.reversed()) {
      each.close();
    }
    List.of(node, other, third).forEach(name -> cluster.client().nodes().withName(name).delete());
    // at once: their kubelets end with this test
    var _ = cluster.client().pods().inNamespace(NAMESPACE).withGracePeriod(0).delete();
    var _ =
        cluster.client().configMaps().inNamespace(NAMESPACE).withName("circuit-breaker").delete();
    cluster.close();
  }

  /** The accounts and their rights, and nothing that would run. */
  private void applyRights() throws IOException {
    for (String file :
        List.of("namespace.yaml", "ingest.yaml", "fault-quarantine.yaml", "connector.yaml")) {
      String rights =
          Arrays.stream(Files.readString(DEPLOY.resolve(file)).split("(?m)^---\n", -1))
              .filter(
                  each ->
                      each.matches(
                          "(?s).*kind: (Namespace|ServiceAccount|(Cluster)?Role(Binding)?)\n.*"))
              .collect(Collectors.joining("---\n"));
      cluster.kubectl(rights, "apply", "--server-side", "-f", "-").output();
    }
    for (String may :
        List.of(
            "drydock-health list nodes",
            "fault-quarantine list nodes",
            "drydock-connector get nodes")) {
      String[] words = may.split(" ", -1);
      cluster
          .eventually()
          .until(
              () ->
                  cluster
                      .kubectl(
                          "", "auth", "can-i", words[1], words[2], "--as=" + ACCOUNTS + words[0])
                      .succeeded());
    }
  }

  /**
   * Of an object of this test only: an API server that still remembers one of an earlier test with
   * the same name refuses tokens that are bound to it.
   */
  private String ownName(String name) {
    return folder.getFileName() + "-" + name;
  }

  private static InetSocketAddress local(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private TestProcess process(String account) {
    Config config = cluster.config();
    config.setImpersonateUsername(ACCOUNTS + account);
    TestProcess process =
        cluster.process(ProcessOptions.of(RequestInterceptor.NONE).withRights(config));
    open.add(process);
    return process;
  }

  private void ingest() {
    Map<Setting<?>, Object> values = new HashMap<>();
    values.put(HealthSettings.STORE_KIND, HealthSettings.StoreKind.EMBEDDED);
    values.put(HealthSettings.STORE_FOLDER, Optional.of(folder.resolve("store")));
    values.put(
        HealthSettings.STORE_CLIENTS,
        Set.of(ACCOUNTS + "node-drainer", ACCOUNTS + "fault-quarantine"));
    values.put(HealthSettings.INGEST_ADDRESS, local(ingestPort));
    values.put(HealthSettings.INGEST_TLS_FOLDER, Optional.of(folder.resolve("tls")));
    values.put(HealthSettings.INGEST_PUBLISHERS, Set.of(ACCOUNTS + "gpu-monitor"));
    values.put(HealthSettings.INGEST_CONNECTORS, Set.of(ACCOUNTS + "drydock-connector"));
    values.put(HealthSettings.LOG_ADDRESS, local(logPort));
    lead("drydock-health", new IngestFeature(), values);
  }

  /** In a process of its own, with the event store of the ingest. */
  private void quarantine() throws IOException {
    Path token = folder.resolve("quarantine-token");
    Files.writeString(token, token("fault-quarantine", AUDIENCE));
    Map<Setting<?>, Object> values = new HashMap<>();
    values.put(HealthSettings.STORE_KIND, HealthSettings.StoreKind.SERVED);
    values.put(HealthSettings.STORE_ADDRESS, "127.0.0.1:" + ingestPort);
    values.put(HealthSettings.STORE_CA_FILE, Optional.of(folder.resolve("tls/ca.crt")));
    values.put(HealthSettings.STORE_TOKEN_FILE, Optional.of(token));
    values.put(QuarantineSettings.RULES, Optional.of(folder.resolve("rules.toml")));
    lead("fault-quarantine", new FaultQuarantineFeature(), values);
  }

  private void lead(String account, Feature feature, Map<Setting<?>, Object> values) {
    OperatorContext context =
        FeatureDefaults.context(
            process(account).kube(), cluster.client(), NAMESPACE, List.of(feature), values);
    LeaderTerm term = new LeaderTerm();
    open.add(term);
    open.add(feature.operator(context).lead(term));
  }

  private void connector() throws IOException {
    Path token = folder.resolve("connector-token");
    Files.writeString(token, token("drydock-connector", AUDIENCE));
    open.add(
        RunningConnector.start(
            process("drydock-connector").kube(),
            node,
            new SimpleMeterRegistry(),
            new ConnectorSettings(
                folder.resolve("c.sock"),
                new ConnectorConfig(
                    List.of(),
                    new ConnectorConfig.Auth(
                        true, AUDIENCE, Set.of(ACCOUNTS + "csp-monitor"), false, false),
                    false),
                folder.resolve("spool"),
                SpoolLimits.of(1 << 20, Duration.ZERO),
                new Forwarder.Target(
                    "127.0.0.1:" + ingestPort, Optional.of(tls()), Optional.of(token)),
                Optional.empty(),
                Optional.empty())));
  }

  private TcpChannels.Tls tls() {
    return new TcpChannels.Tls(Optional.of(folder.resolve("tls/ca.crt")), Optional.empty());
  }

  /** Of a pod on the node that runs as this account. */
  private String token(String account, String audience) {
    var _ = cluster.kubectl("", "create", "serviceaccount", "-n", NAMESPACE, account);
    String pod = ownName(account);
    if (cluster.client().pods().inNamespace(NAMESPACE).withName(pod).get() == null) {
      cluster
          .client()
          .pods()
          .inNamespace(NAMESPACE)
          .resource(
              new PodBuilder()
                  .withNewMetadata()
                  .withName(pod)
                  .endMetadata()
                  .withNewSpec()
                  .withServiceAccountName(account)
                  .withNodeName(node)
                  .addNewContainer()
                  .withName("main")
                  .withImage("none")
                  .endContainer()
                  .endSpec()
                  .build())
          .create();
    }
    return cluster
        .kubectl(
            "",
            "create",
            "token",
            "-n",
            NAMESPACE,
            account,
            "--audience=" + audience,
            "--bound-object-kind=Pod",
            "--bound-object-name=" + pod)
        .output()
        .strip();
  }

  private static HealthEvent.Builder fault(String about) {
    return HealthEvent.builder()
        .version(1)
        .agent("gpu-health-monitor")
        .componentClass("GPU")
        .checkName("GpuXidError")
        .nodeName(about)
        .isFatal(true)
        .errorCode("79")
        .entity("GPU", "0")
        .recommendedAction(RecommendedAction.RESTART_VM)
        .message("XID 79");
  }

  private static HealthEvent.Builder recovery(String about) {
    return HealthEvent.builder()
        .version(1)
        .agent("gpu-health-monitor")
        .componentClass("GPU")
        .checkName("GpuXidError")
        .nodeName(about)
        .isHealthy(true);
  }

  private static Metadata headers(Optional<String> token, Optional<String> key) {
    Metadata headers = new Metadata();
    token.ifPresent(each -> headers.put(CallHeaders.AUTHORIZATION, "Bearer " + each));
    key.ifPresent(each -> headers.put(CallHeaders.IDEMPOTENCY_KEY, each));
    return headers;
  }

  private static void call(
      ManagedChannel channel, Metadata headers, HealthEvent.Builder... events) {
    try {
      var _ =
          PlatformConnectorGrpc.newBlockingStub(channel)
              .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
              .healthEventOccurredV1(
                  EventMessages.batch(
                      Arrays.stream(events).map(HealthEvent.Builder::build).toList()));
    } finally {
      channel.shutdownNow();
    }
  }

  private void send(Optional<String> token, HealthEvent.Builder... events) {
    call(
        UnixSockets.channel(
            folder.resolve("c.sock"), MetadataUtils.newAttachHeadersInterceptor(new Metadata())),
        headers(token, Optional.empty()),
        events);
  }

  private void sendToIngest(
      Optional<String> token, Optional<String> key, HealthEvent.Builder... events) {
    try {
      call(
          TcpChannels.channel("127.0.0.1:" + ingestPort, Optional.of(tls())),
          headers(token, key),
          events);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Status.Code refused(Runnable call) {
    return catchThrowableOfType(StatusRuntimeException.class, call::run).getStatus().getCode();
  }

  private boolean isCordoned(String name) {
    return Boolean.TRUE.equals(
        cluster.client().nodes().withName(name).require().getSpec().getUnschedulable());
  }

  private void eventuallyCordoned(String name, boolean cordoned) {
    cluster.eventually().until(() -> isCordoned(name), is -> is == cordoned);
  }

  private String events() {
    return CommandOutcome.run("events", "--address", "127.0.0.1:" + logPort, "-o", "wide").out();
  }

  @Test
  void faultsAndRecoveriesOnTheSocketCordonAndRelease() {
    send(Optional.empty(), fault(""), fault("").entity("GPU", "1").checkName("GpuMemory"));
    eventuallyCordoned(node, true);
    cluster
        .eventually()
        .until(
            () ->
                cluster
                    .client()
                    .nodes()
                    .withName(node)
                    .require()
                    .getStatus()
                    .getConditions()
                    .stream()
                    .anyMatch(
                        each ->
                            each.getType().equals("GpuXidError")
                                && each.getStatus().equals("True")));

    send(Optional.empty(), recovery(node));
    cluster.eventually().until(this::events, text -> text.lines().count() == 4);
    cluster
        .eventually()
        .until(
            () ->
                events()
                    .lines()
                    .anyMatch(
                        line -> line.contains("healthy") && line.contains("AlreadyQuarantined")));
    assertThat(isCordoned(node)).as("after partial recovery").isTrue();

    assertThat(cluster.kubectl("", "uncordon", node).output()).contains("uncordoned");
    cluster.eventually().until(this::events, text -> text.contains("Cancelled"));
    cluster
        .eventually()
        .untilAsserted(
            () ->
                assertThat(
                        cluster
                            .client()
                            .nodes()
                            .withName(node)
                            .require()
                            .getMetadata()
                            .getAnnotations())
                    .containsEntry("quarantinedNodeUncordonedManually", "True")
                    .doesNotContainKey("quarantineHealthEvent"));
  }

  @Test
  void breakersTripAndRecoveryGoesOn() {
    String monitor = token("csp-monitor", AUDIENCE);
    send(Optional.of(monitor), fault(node), fault(other));
    eventuallyCordoned(node, true);
    eventuallyCordoned(other, true);
    send(Optional.of(monitor), fault(third));
    cluster
        .eventually()
        .until(
            () ->
                CommandOutcome.run(
                        "breaker",
                        "status",
                        "--operator-namespace",
                        NAMESPACE,
                        "--kubeconfig",
                        kubeconfig())
                    .out(),
            text -> text.contains("TRIPPED"));

    send(Optional.of(monitor), recovery(other));
    eventuallyCordoned(other, false);
    assertThat(isCordoned(third)).isFalse();

    assertThat(
            CommandOutcome.run(
                    "breaker",
                    "reset",
                    "--operator-namespace",
                    NAMESPACE,
                    "--kubeconfig",
                    kubeconfig())
                .out())
        .contains("reset");
    eventuallyCordoned(third, true);
  }

  private String kubeconfig() {
    return controlPlane.kubeconfig().toString();
  }

  private EventStore storeFor(String token) throws IOException {
    Map<Setting<?>, Object> values = new HashMap<>();
    values.put(HealthSettings.STORE_KIND, HealthSettings.StoreKind.SERVED);
    values.put(HealthSettings.STORE_ADDRESS, "127.0.0.1:" + ingestPort);
    values.put(HealthSettings.STORE_CA_FILE, Optional.of(folder.resolve("tls/ca.crt")));
    values.put(
        HealthSettings.STORE_TOKEN_FILE,
        Optional.of(Files.writeString(Files.createTempFile(folder, "store", "token"), token)));
    values.put(HealthSettings.STORE_INSECURE, false);
    return EventStores.open(new Settings(values), Map.of(), TimeSource.REAL);
  }

  /** As people make them by hand: of no pod. */
  private String unboundToken(String account) {
    return cluster
        .kubectl("", "create", "token", "-n", NAMESPACE, account, "--audience=" + AUDIENCE)
        .output()
        .strip();
  }

  @Test
  void anotherProcessWorksOnTheSameEventsIfItsAccountIsListed() throws IOException {
    String drainer = token("node-drainer", AUDIENCE);
    cluster.eventually().untilAsserted(() -> storeFor(drainer).close());
    try (EventStore store = storeFor(drainer)) {
      ChangeFeed decisions =
          store.feed("node-drainer", ChangeFilter.QUARANTINE_DECISIONS, FeedStart.LIST, () -> {});
      send(Optional.empty(), fault(""));
      List<Change> told =
          cluster.eventually().until(() -> decisions.next(10), some -> !some.isEmpty());
      StoredEvent decided = told.getFirst().event();
      assertThat(decided.status().nodeQuarantined()).isEqualTo("Quarantined");

      assertThat(
              store.update(
                  decided.id(), StatusUpdate.NONE.eviction(HealthStatus.SUCCEEDED, "no pods")))
          .isTrue();
      assertThat(events()).contains("Succeeded");
      decisions.close();
    }

    for (String other :
        List.of(
            token("csp-monitor", AUDIENCE),
            token("drydock-connector", AUDIENCE),
            unboundToken("node-drainer"))) {
      assertThatThrownBy(() -> storeFor(other).close())
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining("PERMISSION_DENIED");
    }
    String unbound = unboundToken("drydock-connector");
    assertThat(refused(() -> sendToIngest(Optional.of(unbound), Optional.of("k"), fault(node))))
        .as("a connector's token, but of no pod")
        .isEqualTo(Status.Code.PERMISSION_DENIED);
  }

  @Test
  void callersAreWhatTheirTokensSay() throws IOException, GeneralSecurityException {
    String monitor = token("csp-monitor", AUDIENCE);
    String plain = token("gpu-monitor", AUDIENCE);
    String elsewhere = token("csp-monitor", "vault");

    assertThat(refused(() -> send(Optional.empty(), fault(other))))
        .isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(refused(() -> send(Optional.of(plain), fault(other))))
        .isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(refused(() -> send(Optional.of(elsewhere), fault(node))))
        .isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(refused(() -> send(Optional.of("nonsense"), fault(node))))
        .isEqualTo(Status.Code.UNAUTHENTICATED);
    send(Optional.of(monitor), fault(other));
    eventuallyCordoned(other, true);

    // a monitor that calls the ingest itself
    assertThat(refused(() -> sendToIngest(Optional.empty(), Optional.of("k"), fault(node))))
        .isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(refused(() -> sendToIngest(Optional.of(plain), Optional.of("k"), fault(other))))
        .isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(refused(() -> sendToIngest(Optional.of(monitor), Optional.of("k"), fault(node))))
        .as("not among the publishers")
        .isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(refused(() -> sendToIngest(Optional.of(plain), Optional.empty(), fault(node))))
        .isEqualTo(Status.Code.INVALID_ARGUMENT);
    sendToIngest(Optional.of(plain), Optional.of("k"), fault(node));
    sendToIngest(Optional.of(plain), Optional.of("k"), fault(node));
    eventuallyCordoned(node, true);
    assertThat(events().lines().count()).as("heading and two events").isEqualTo(3);

    // whoever trusts another certificate does not get in, until the ingest has that one
    Path old = Files.move(folder.resolve("tls/ca.crt"), folder.resolve("old.crt"));
    TestCertificate.write(folder.resolve("new"));
    Files.copy(folder.resolve("new/ca.crt"), folder.resolve("tls/ca.crt"));
    assertThat(refused(() -> sendToIngest(Optional.of(plain), Optional.of("l"), recovery(node))))
        .isEqualTo(Status.Code.UNAVAILABLE);
    for (String name : List.of("tls.key", "tls.crt")) {
      Files.writeString(
          folder.resolve("tls").resolve(name),
          Files.readString(folder.resolve("new").resolve(name)));
    }
    assertThat(old).exists();
    cluster
        .eventually()
        .untilAsserted(() -> sendToIngest(Optional.of(plain), Optional.of("l"), recovery(node)));
    eventuallyCordoned(node, false);
  }
}
