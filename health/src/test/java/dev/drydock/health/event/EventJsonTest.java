package dev.drydock.health.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.contracts.health.BehaviourOverrides;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthEventStatus;
import dev.drydock.contracts.health.OperationStatus;
import dev.drydock.contracts.health.ProcessingStrategy;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EventJsonTest {
  private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.000000006Z");

  private static final HealthEvent FULL =
      HealthEvent.builder()
          .version(1)
          .agent("a")
          .componentClass("GPU")
          .checkName("c")
          .isFatal(true)
          .message("m")
          .recommendedAction(RecommendedAction.CUSTOM)
          .customRecommendedAction("swap")
          .errorCode("79")
          .entity("GPU", "0")
          .metadata("k", "v")
          .generatedTimestamp(TIME)
          .nodeName("n")
          .quarantineOverrides(new BehaviourOverrides(true, false))
          .drainOverrides(new BehaviourOverrides(false, true))
          .processingStrategy(ProcessingStrategy.STORE_ONLY)
          .id("i")
          .build();

  @Test
  void bothFormsAndMessagesKeepEverything() {
    assertThat(EventJson.event(EventJson.json(FULL))).isEqualTo(FULL);
    assertThat(EventJson.event(EventJson.document(FULL))).isEqualTo(FULL);
    assertThat(EventMessages.event(EventMessages.message(FULL))).isEqualTo(FULL);
    assertThat(EventJson.event(Json.object())).isEqualTo(HealthEvent.EMPTY);
  }

  @Test
  void documentsHaveLowerCaseNamesNumbersAndSeconds() {
    assertThat(EventJson.document(FULL).toString())
        .contains(
            "\"nodename\":\"n\"",
            "\"recommendedaction\":27",
            "\"entitiesimpacted\":[{\"entitytype\":\"GPU\",\"entityvalue\":\"0\"}]",
            "\"generatedtimestamp\":{\"seconds\":1767323045,\"nanos\":6}");
  }

  @Test
  void statusesKeepEverything() {
    HealthEventStatus status =
        new HealthEventStatus(
            "Quarantined",
            TIME,
            new OperationStatus("InProgress", "m"),
            TIME,
            false,
            TIME,
            Map.of("fq", "1"));

    assertThat(EventJson.status(EventJson.json(status))).isEqualTo(status);
    assertThat(EventJson.status(EventJson.document(status))).isEqualTo(status);
    assertThat(EventMessages.status(EventMessages.message(status))).isEqualTo(status);
    assertThat(EventJson.document(HealthEventStatus.NEW).toString())
        .isEqualTo("{\"nodequarantined\":\"\",\"userpodsevictionstatus\":{}}");
  }

  @Test
  void actionsAreReadByNameToo() throws IOException {
    assertThat(
            EventJson.event(Json.read("{\"recommendedAction\":\"RESTART_BM\",\"errorCode\":[79]}")))
        .isEqualTo(
            HealthEvent.builder()
                .recommendedAction(RecommendedAction.RESTART_BM)
                .errorCode("79")
                .build());
    assertThatThrownBy(() -> EventJson.event(Json.read("{\"recommendedAction\":\"RUN\"}")))
        .hasMessageContaining("recommendedAction");
    assertThatThrownBy(() -> EventJson.event(Json.read("{\"generatedTimestamp\":\"now\"}")))
        .hasMessageContaining("generatedTimestamp");
  }
}
