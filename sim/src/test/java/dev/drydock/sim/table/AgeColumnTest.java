package dev.drydock.sim.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.drydock.sim.json.JsonTrees;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgeColumnTest {
  @ParameterizedTest
  @CsvSource({
    "PT-5S, <invalid>",
    "PT-0.5S, 0s",
    "PT0S, 0s",
    "PT119S, 119s",
    "PT2M, 2m",
    "PT5M7S, 5m7s",
    "PT10M59S, 10m",
    "PT179M, 179m",
    "PT3H5M, 3h5m",
    "PT47H, 47h",
    "P3DT2H, 3d2h",
    "P9D, 9d",
    "P729D, 729d",
    "P740D, 2y10d",
    "P4000D, 10y"
  })
  void theOlderTheCoarser(Duration age, String shown) {
    assertThat(AgeColumn.of(age)).isEqualTo(shown);
  }

  @Test
  void whatIsNoTimeSaysSo() {
    assertThat(AgeColumn.since(JsonTrees.object().path("none"), Instant.EPOCH))
        .isEqualTo("<unknown>");
    assertThat(AgeColumn.since(TextNode.valueOf("soon"), Instant.EPOCH)).isEqualTo("<invalid>");
    assertThat(AgeColumn.since(TextNode.valueOf("1970-01-01T01:00:00+01:00"), Instant.EPOCH))
        .isEqualTo("0s");
  }
}
