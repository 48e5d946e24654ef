package dev.drydock.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FleetTableTest {
  private static NodeRow node(String name, String service, String heldBy) {
    return new NodeRow(
        name, "zone-" + name.charAt(4), 8, service, heldBy, Map.of("web", 2L, "exporter", 1L));
  }

  private static List<NodeRow> fleet() {
    List<NodeRow> nodes = new ArrayList<>();
    for (String zone : List.of("a", "b", "c")) {
      for (int number = 1; number <= 4; number++) {
        nodes.add(node("gpu-" + zone + "-" + number, "in", ""));
      }
    }
    return nodes;
  }

  private static List<NodeRow> withOut(int count) {
    List<NodeRow> nodes = fleet();
    for (int i = 0; i < count; i++) {
      nodes.set(i, node(nodes.get(i).name(), "out", "team/hardware"));
    }
    return nodes;
  }

  @Test
  void whereThereIsRoomAllNodesHaveARow() {
    assertThat(FleetTable.lines(withOut(1), 120, 13))
        .hasSize(13)
        .startsWith(
            "NODE      ZONE     GPUS   SERVICE   HELD BY         PODS",
            "gpu-a-1   zone-a   8      out       team/hardware   exporter, 2 web",
            "gpu-a-2   zone-a   8      in        -               exporter, 2 web");
  }

  @Test
  void onASmallScreenThoseInServiceAreSummedUpByZone() {
    assertThat(FleetTable.lines(withOut(1), 80, 10))
        .containsExactly(
            "NODE          SERVICE   HELD BY         PODS",
            "gpu-a-1       out       team/hardware   exporter, 2 web",
            "3 in zone-a   in        -               3 exporter, 6 web",
            "4 in zone-b   in        -               4 exporter, 8 web",
            "4 in zone-c   in        -               4 exporter, 8 web");
  }

  @Test
  void onALowOneAllTogether() {
    assertThat(FleetTable.lines(withOut(2), 80, 5))
        .containsExactly(
            "NODE        SERVICE   HELD BY         PODS",
            "gpu-a-1     out       team/hardware   exporter, 2 web",
            "gpu-a-2     out       team/hardware   exporter, 2 web",
            "10 others   in        -               10 exporter, 20 web");
  }

  @Test
  void itIsNeverHigherThanItMay() {
    for (int out = 0; out <= 12; out++) {
      for (int rows = 0; rows <= 20; rows++) {
        assertThat(FleetTable.lines(withOut(out), 80, rows)).hasSizeLessThanOrEqualTo(rows);
      }
    }
    assertThat(FleetTable.lines(withOut(12), 80, 4).getLast())
        .startsWith("10 more   out       team/hardware");
  }

  @Test
  void aLineOrTwoWouldTellNothing() {
    assertThat(FleetTable.lines(fleet(), 80, 3)).isEmpty();
  }
}
