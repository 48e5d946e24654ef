package dev.drydock.lifecycle.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import dev.drydock.lifecycle.pluginregistration.PluginRegistrationProto;
import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.SlmProto;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes over the wire, byte by byte, against a description of its own. */
class SlmContractTest {
  private static final String SLM_PACKAGE = "k8s.io.kubelet.pkg.apis.slm.v1alpha1";
  private static final String LONG_NAME = SLM_PACKAGE + ".SLMPlugin";
  private static final String SHORT_NAME = "v1alpha1.SLMPlugin";
  private static final String REGISTRATION = "pluginregistration.Registration";

  private static final FieldTable SLM =
      table(
          SLM_PACKAGE,
          """
          StartLifecycleTransitionRequest  transition_name      1  string
          StartLifecycleTransitionRequest  event_name           2  string
          StartLifecycleTransitionRequest  node_name            3  string
          StartLifecycleTransitionRequest  start                4  string
          StartLifecycleTransitionRequest  end                  5  string
          EndLifecycleTransitionRequest    transition_name      1  string
          EndLifecycleTransitionRequest    event_name           2  string
          EndLifecycleTransitionRequest    node_name            3  string
          EndLifecycleTransitionRequest    start                4  string
          EndLifecycleTransitionRequest    end                  5  string
          EndLifecycleTransitionRequest    sla_expired          6  bool
          LifecycleTransitionResponse      lifecycle_condition  1  string
          LifecycleTransitionResponse      node_name            2  string
          LifecycleTransitionResponse      error                3  string
          """);

  private static final FieldTable PLUGINS =
      table(
          "pluginregistration",
          """
          InfoRequest
          PluginInfo          type                1  string
          PluginInfo          name                2  string
          PluginInfo          endpoint            3  string
          PluginInfo          supported_versions  4  repeated-string
          RegistrationStatus  plugin_registered   1  bool
          RegistrationStatus  error               2  string
          RegistrationStatusResponse
          """);

  private static final Map<String, Object> REQUEST =
      Map.of("transition_name", "T", "event_name", "E", "node_name", "N", "start", "S", "end", "D");

  private final RecordingDriver driver = new RecordingDriver();
  private final List<String> verdicts = new CopyOnWriteArrayList<>();
  @TempDir private Path folder;
  private PluginServer server;
  private RawClient service;
  private RawClient registration;

  @BeforeEach
  void serve() throws IOException {
    server =
        PluginServer.start(
            "d",
            new PluginServer.SocketFolders(folder.resolve("p"), folder.resolve("r")),
            driver,
            (registered, error) -> verdicts.add(registered + error));
    service = new RawClient(folder.resolve("p/d/slm.sock"));
    registration = new RawClient(folder.resolve("r/d-reg.sock"));
  }

  @AfterEach
  void end() {
    service.close();
    registration.close();
    server.close();
  }

  @Test
  void describesTheSameFieldsAsTheTables() {
    assertThat(FieldTable.describe(SlmProto.getDescriptor()))
        .containsExactlyElementsOf(SLM.described());
    assertThat(FieldTable.describe(PluginRegistrationProto.getDescriptor()))
        .containsExactlyElementsOf(PLUGINS.described());
  }

  @Test
  void describesTheMethodsAndWhatTheyTakeAndGive() {
    assertThat(methods(SlmProto.getDescriptor()))
        .containsExactly(
            LONG_NAME
                + ".StartLifecycleTransition StartLifecycleTransitionRequest LifecycleTransitionResponse",
            LONG_NAME
                + ".EndLifecycleTransition EndLifecycleTransitionRequest LifecycleTransitionResponse");
    assertThat(methods(PluginRegistrationProto.getDescriptor()))
        .containsExactly(
            REGISTRATION + ".GetInfo InfoRequest PluginInfo",
            REGISTRATION
                + ".NotifyRegistrationStatus RegistrationStatus RegistrationStatusResponse");
  }

  @ParameterizedTest
  @ValueSource(strings = {LONG_NAME, SHORT_NAME})
  void startIsReadAndAnswered(String name) throws Exception {
    byte[] request = SLM.bytes("StartLifecycleTransitionRequest", REQUEST);

    byte[] response = service.call(name + "/StartLifecycleTransition", request);

    assertThat(hex(request)).isEqualTo("0a0154" + "120145" + "1a014e" + "220153" + "2a0144");
    assertThat(driver.starts)
        .singleElement()
        .extracting(
            StartLifecycleTransitionRequest::getTransitionName,
            StartLifecycleTransitionRequest::getEventName,
            StartLifecycleTransitionRequest::getNodeName,
            StartLifecycleTransitionRequest::getStart,
            StartLifecycleTransitionRequest::getEnd)
        .containsExactly("T", "E", "N", "S", "D");
    assertThat(hex(response)).isEqualTo("0a0153" + "12014e");
    assertThat(SLM.values("LifecycleTransitionResponse", response))
        .isEqualTo(Map.of("lifecycle_condition", "S", "node_name", "N"));
  }

  @ParameterizedTest
  @ValueSource(strings = {LONG_NAME, SHORT_NAME})
  void endIsReadAndAnswered(String name) throws Exception {
    driver.error = "X";
    byte[] request =
        HexFormat.of().parseHex("0a0154" + "120145" + "1a014e" + "220153" + "2a0144" + "3001");

    byte[] response = service.call(name + "/EndLifecycleTransition", request);

    assertThat(SLM.values("EndLifecycleTransitionRequest", request))
        .containsAllEntriesOf(REQUEST)
        .containsEntry("sla_expired", true)
        .hasSize(6);
    assertThat(driver.ends)
        .singleElement()
        .extracting(
            EndLifecycleTransitionRequest::getTransitionName,
            EndLifecycleTransitionRequest::getEventName,
            EndLifecycleTransitionRequest::getNodeName,
            EndLifecycleTransitionRequest::getStart,
            EndLifecycleTransitionRequest::getEnd,
            EndLifecycleTransitionRequest::getSlaExpired)
        .containsExactly("T", "E", "N", "S", "D", true);
    assertThat(hex(response)).isEqualTo("0a0144" + "12014e" + "1a0158");
    assertThat(SLM.values("LifecycleTransitionResponse", response))
        .isEqualTo(Map.of("lifecycle_condition", "D", "node_name", "N", "error", "X"));
  }

  @Test
  void whatIsNotSentIsEmpty() {
    byte[] response = service.call(LONG_NAME + "/EndLifecycleTransition", new byte[0]);

    assertThat(driver.ends).containsExactly(EndLifecycleTransitionRequest.getDefaultInstance());
    assertThat(response).isEmpty();
  }

  @Test
  void aRegistrationTellsWhatTheDriverIs() throws Exception {
    byte[] request = PLUGINS.bytes("InfoRequest", Map.of());

    byte[] info = registration.call(REGISTRATION + "/GetInfo", request);

    String endpoint = folder.resolve("p/d/slm.sock").toString();
    assertThat(request).isEmpty();
    assertThat(PLUGINS.values("PluginInfo", info))
        .isEqualTo(
            Map.of(
                "type",
                "SLMPlugin",
                "name",
                "d",
                "endpoint",
                endpoint,
                "supported_versions",
                List.of("v1alpha1.SLMPlugin")));
    assertThat(hex(info))
        .isEqualTo(
            "0a09534c4d506c7567696e"
                + "120164"
                + "1a%02x%s".formatted(endpoint.length(), hex(utf8(endpoint)))
                + "22127631616c706861312e534c4d506c7567696e");
  }

  @Test
  void aRegistrationTakesItsVerdict() throws Exception {
    byte[] refusal =
        PLUGINS.bytes("RegistrationStatus", Map.of("plugin_registered", false, "error", "no"));
    byte[] consent =
        PLUGINS.bytes("RegistrationStatus", Map.of("plugin_registered", true, "error", "but"));

    assertThatThrownBy(() -> registration.call(REGISTRATION + "/NotifyRegistrationStatus", refusal))
        .hasMessage("UNKNOWN: registration failed: no");
    byte[] second = registration.call(REGISTRATION + "/NotifyRegistrationStatus", consent);

    assertThat(hex(refusal)).isEqualTo("12026e6f");
    assertThat(hex(consent)).isEqualTo("0801" + "1203627574");
    assertThat(verdicts).containsExactly("falseno", "truebut");
    assertThat(PLUGINS.values("RegistrationStatusResponse", second)).isEmpty();
  }

  private static Stream<String> methods(FileDescriptor file) {
    return file.getServices().stream()
        .flatMap(found -> found.getMethods().stream())
        .map(SlmContractTest::signature);
  }

  private static String signature(MethodDescriptor method) {
    return "%s %s %s"
        .formatted(
            method.getFullName(),
            method.getInputType().getName(),
            method.getOutputType().getName());
  }

  private static FieldTable table(String packageName, String lines) {
    try {
      return new FieldTable(packageName, lines);
    } catch (DescriptorValidationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
