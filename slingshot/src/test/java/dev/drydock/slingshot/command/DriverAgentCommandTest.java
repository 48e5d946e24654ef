package dev.drydock.slingshot.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.cli.CommandFailure;
import dev.drydock.contracts.GoDuration;
import dev.drydock.contracts.cxi.CXIDevice;
import dev.drydock.contracts.cxi.CXIDriverSpec;
import dev.drydock.contracts.cxi.CXIDriverSpec.Platform;
import dev.drydock.contracts.cxi.CXIDriverSpec.SourceType;
import dev.drydock.slingshot.decide.EffectiveSpec;
import dev.drydock.slingshot.driver.AgentFolders;
import dev.drydock.slingshot.driver.DriverAgentSettings;
import dev.drydock.slingshot.fake.FakeNic;
import dev.drydock.slingshot.fake.FakeNics;
import dev.drydock.testbed.CommandOutcome;
import dev.drydock.testbed.Ports;
import dev.drydock.testkit.CommandFixture;
import dev.drydock.testkit.LoopbackServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class DriverAgentCommandTest {
  private static DriverAgentOptions options(Map<String, String> environment, String... flags) {
    DriverAgentOptions options = new DriverAgentOptions(environment);
    CommandLine line = new CommandLine(options);
    line.registerConverter(Duration.class, text -> GoDuration.find(text).orElseThrow());
    var _ = line.parseArgs(flags);
    return options;
  }

  /** As the operator writes them into the agent's pod. */
  private static final Map<String, String> POD =
      Map.ofEntries(
          Map.entry("NODE_NAME", "node1"),
          Map.entry("NAMESPACE", "drydock-system"),
          Map.entry("POD_UID", "uid"),
          Map.entry("CXI_DRIVER_VERSION", "13.0.0"),
          Map.entry("CXI_DRIVER_REVISION", "abc"),
          Map.entry("DRIVER_SOURCE_TYPE", "dkms"),
          Map.entry("DKMS_TAG", "release/shs-13.0.0"),
          Map.entry("DKMS_PLATFORM", "rosetta"),
          Map.entry("DKMS_SOURCE_URL", "https://h/a.zip"),
          Map.entry("PREBUILT_URL", "https://h/cache"),
          Map.entry("DKMS_REPOSITORY_sbl", "https://h/o/sbl@main"),
          Map.entry("RESOURCE_NAME", "hpe.com/c2"),
          Map.entry("RETRY_HANDLER_MODE", "daemonset"));

  @Test
  void everyVariableOfTheOperatorIsRead() {
    DriverAgentSettings settings = options(POD).settings();
    assertThat(settings.node()).isEqualTo("node1");
    assertThat(settings.namespace()).isEqualTo("drydock-system");
    assertThat(settings.podUid()).isEqualTo("uid");
    assertThat(settings.handlersExpected()).isTrue();
    assertThat(settings.labels()).isTrue();
    assertThat(settings.poll()).isEqualTo(Duration.ofSeconds(30));
    assertThat(settings.wanted().version()).isEqualTo("13.0.0");
    assertThat(settings.wanted().revision()).isEqualTo("abc");
    assertThat(settings.wanted().type()).isEqualTo(SourceType.dkms);
    assertThat(settings.wanted().tag()).isEqualTo("release/shs-13.0.0");
    assertThat(settings.wanted().platform()).isEqualTo(Platform.rosetta);
    assertThat(settings.wanted().archive()).isEqualTo("https://h/a.zip");
    assertThat(settings.wanted().prebuilt()).isEqualTo("https://h/cache");
    assertThat(settings.wanted().repositories()).containsEntry("sbl", "https://h/o/sbl@main");
    assertThat(options(POD).resource()).isEqualTo("hpe.com/c2");
  }

  @Test
  void flagsWin() {
    DriverAgentOptions options =
        options(
            POD,
            "--node-name=node2",
            "--driver-source=prebuilt",
            "--driver-version=1.0.0",
            "--driver-revision=def",
            "--dkms-source-url=https://h/b.zip",
            "--dkms-tag=release/shs-1",
            "--dkms-platform=cassini",
            "--dkms-repository=sbl=https://h/o/sbl@v2",
            "--prebuilt-url=https://h/other",
            "--poll-interval=5s",
            "--switch-id-mask=0xff",
            "--disable-labels",
            "--resource-name=hpe.com/c3",
            "--retry-handler-mode=none");
    DriverAgentSettings settings = options.settings();
    assertThat(settings.node()).isEqualTo("node2");
    assertThat(settings.handlersExpected()).isFalse();
    assertThat(settings.labels()).isFalse();
    assertThat(settings.switchMask()).isEqualTo(0xff);
    assertThat(settings.poll()).isEqualTo(Duration.ofSeconds(5));
    assertThat(settings.wanted().version()).isEqualTo("1.0.0");
    assertThat(settings.wanted().revision()).isEqualTo("def");
    assertThat(settings.wanted().type()).isEqualTo(SourceType.prebuilt);
    assertThat(settings.wanted().prebuilt()).isEqualTo("https://h/other");
    assertThat(settings.wanted().archive()).isEqualTo("https://h/b.zip");
    assertThat(settings.wanted().tag()).isEqualTo("release/shs-1");
    assertThat(settings.wanted().platform()).isEqualTo(Platform.cassini);
    assertThat(settings.wanted().repositories()).containsEntry("sbl", "https://h/o/sbl@v2");
    assertThat(options.resource()).isEqualTo("hpe.com/c3");
  }

  /** So that an agent that is started by hand and one of the operator mean the same. */
  @Test
  void theRevisionIsTheOperators() {
    CXIDriverSpec spec =
        new CXIDriverSpec(
            "1.8.3",
            new CXIDriverSpec.Source(SourceType.preinstalled, null, null, null, null),
            null,
            null,
            null,
            null,
            null,
            null,
            null);
    assertThat(
            options(Map.of("NODE_NAME", "n", "CXI_DRIVER_VERSION", "1.8.3"))
                .settings()
                .wanted()
                .revision())
        .isEqualTo(EffectiveSpec.of(spec).revision());
  }

  @Test
  void foldersOfTheHostAreFoundWhereverTheyAre(@TempDir Path root) throws IOException {
    AgentFolders real = options(POD).folders();
    assertThat(real.dkms()).isEqualTo(Path.of("/var/lib/dkms"));
    assertThat(real.cache()).isEqualTo(Path.of("/var/lib/cxi-driver/modules"));
    assertThat(real.podLogs()).isEqualTo(Path.of("/proc/1/root/var/log/pods"));
    assertThat(real.podResources())
        .isEqualTo(Path.of("/proc/1/root/var/lib/kubelet/pod-resources/kubelet.sock"));
    assertThat(real.roots().modules()).isEqualTo(Path.of("/lib/modules"));

    AgentFolders fake =
        options(
                POD,
                "--host-root=" + root,
                "--sys-root=/a",
                "--proc-root=/b",
                "--dev-root=/c",
                "--modules-root=/d",
                "--sources-root=/e",
                "--run-root=/f",
                "--dkms-root=/g",
                "--state-root=/h")
            .folders();
    assertThat(fake.podLogs()).isEqualTo(root.resolve("var/log/pods"));
    assertThat(
            List.of(
                fake.roots().sys(),
                fake.roots().proc(),
                fake.roots().dev(),
                fake.roots().modules(),
                fake.roots().sources(),
                fake.roots().runCxi(),
                fake.dkms(),
                fake.state(),
                fake.cache()))
        .extracting(Path::toString)
        .containsExactly("/a", "/b", "/c", "/d", "/e", "/f", "/g", "/h", "/h/modules");
    assertThat(options(POD, "--module-cache=/shared").folders().cache())
        .isEqualTo(Path.of("/shared"));
    assertThat(options(POD, "--host-command=nsenter -t 1 -m --").hostCommand().words())
        .containsExactly("nsenter", "-t", "1", "-m", "--");
    assertThat(options(POD, "--host-root=" + root).hostCommand().words().get(1))
        .startsWith("PATH=" + root + "/usr/sbin:");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NODE_NAME= | | which node?",
        "DRIVER_SOURCE_TYPE=rpm | | $DRIVER_SOURCE_TYPE is \"rpm\", and must be one of",
        "DRIVER_SOURCE_TYPE=prebuilt | --driver-version= | which version?",
        "DRIVER_SOURCE_TYPE=prebuilt | --driver-version=1 | needs the URL of the modules",
        "DRIVER_SOURCE_TYPE=dkms | --driver-version=1 | source dkms needs --dkms-source-url",
        "X=1 | --poll-interval=0s | --poll-interval must be positive",
        "X=1 | --switch-id-mask=none | --switch-id-mask \"none\" is not a number"
      })
  void mistakesAreOneLine(String variable, String flag, String line) {
    String[] parts = variable.split("=", 2);
    Map<String, String> environment =
        parts[0].equals("NODE_NAME") ? Map.of() : Map.of("NODE_NAME", "node1", parts[0], parts[1]);
    String[] flags = flag == null ? new String[0] : new String[] {flag};
    assertThatThrownBy(() -> options(environment, flags).settings())
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining(line);
  }

  @Test
  void aClusterThatDoesNotExistIsOneLine(@TempDir Path folder) {
    CommandOutcome outcome =
        CommandOutcome.run(
            "cxi", "driver-agent", "--node-name=node1", "--kubeconfig=" + folder.resolve("none"));
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("no such file").hasLineCount(1);
  }

  private static String get(int port, String path) throws Exception {
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
                HttpResponse.BodyHandlers.ofString());
    return answer.statusCode() + " " + answer.body().strip();
  }

  /** The whole program on a fake machine, from its flags to its pages. */
  @Test
  void theProgramServesItsNodeUntilItIsStopped(@TempDir Path folder) throws Exception {
    FakeNics machine =
        FakeNics.create(folder.resolve("machine"), FakeNics.KERNEL, Clock.systemUTC());
    machine.add(FakeNic.numbered(0));
    int port = Ports.free();
    try (CommandFixture fixture = CommandFixture.simulated(folder)) {
      fixture.define();
      String node = fixture.addNode();
      AtomicReference<CommandOutcome> outcome = new AtomicReference<>();
      Thread program =
          Thread.ofVirtual()
              .start(
                  () ->
                      outcome.set(
                          fixture.drydock(
                              "cxi",
                              "driver-agent",
                              "-node-name=" + node,
                              "--driver-version=1.8.3",
                              "--host-root=" + folder.resolve("machine"),
                              "--health-port=" + port)));
      fixture
          .eventually()
          .untilAsserted(() -> assertThat(get(port, "/readyz")).isEqualTo("200 ready"));
      assertThat(get(port, "/healthz")).isEqualTo("200 ok");
      fixture
          .eventually()
          .until(
              () ->
                  fixture.client().resources(CXIDevice.class).withName(node + "-cxi0").get()
                      != null);
      String status = get(port, "/status");
      JsonNode json = new ObjectMapper().readTree(status.substring(4));
      assertThat(json.path("node").asText()).isEqualTo(node);
      assertThat(json.path("driverReady").asBoolean()).isTrue();
      assertThat(json.path("version").asText()).isEqualTo("1.8.3");
      assertThat(json.path("devices").path(0))
          .hasToString("{\"name\":\"cxi0\",\"pci\":\"0000:41:00.0\",\"numa\":0,\"link\":\"up\"}");
      program.interrupt();
      program.join();
      assertThat(outcome.get().exitCode()).as(outcome.get().err()).isZero();
    }
  }

  /** A probe that waits for the install would end it. */
  @Test
  void healthIsServedWhileTheDriverIsInstalled(@TempDir Path folder) throws Exception {
    FakeNics machine =
        FakeNics.create(folder.resolve("machine"), FakeNics.KERNEL, Clock.systemUTC());
    Files.writeString(machine.roots().proc().resolve("modules"), "");
    CountDownLatch released = new CountDownLatch(1);
    int port = Ports.free();
    try (LoopbackServer server = new LoopbackServer();
        CommandFixture fixture = CommandFixture.simulated(folder)) {
      server.handle(
          "/cache",
          exchange -> {
            await(released);
            boolean module = exchange.getRequestURI().getPath().matches(".*/1.0.0/.*(ss1|user).ko");
            LoopbackServer.answer(exchange, module ? 200 : 404, module ? "module" : "");
          });
      fixture.define();
      String node = fixture.addNode();
      Thread program =
          Thread.ofVirtual()
              .start(
                  () -> {
                    var _ =
                        fixture.drydock(
                            "cxi",
                            "driver-agent",
                            "--node-name=" + node,
                            "--driver-source=prebuilt",
                            "--driver-version=1.0.0",
                            "--prebuilt-url=" + server.uri("/cache"),
                            "--host-root=" + folder.resolve("machine"),
                            "--health-port=" + port);
                  });
      fixture
          .eventually()
          .untilAsserted(
              () ->
                  assertThat(get(port, "/readyz"))
                      .isEqualTo("503 not ready: download modules for kernel " + FakeNics.KERNEL));
      assertThat(get(port, "/healthz")).isEqualTo("200 ok");
      released.countDown();
      fixture
          .eventually()
          .untilAsserted(() -> assertThat(get(port, "/readyz")).isEqualTo("200 ready"));
      program.interrupt();
      program.join();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }
}
