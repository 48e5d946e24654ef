package dev.drydock.edge.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.edge.decide.EdgeDrain;
import dev.drydock.edge.decide.NodeDrainRequest;
import dev.drydock.edge.record.EdgeRecords.RecordUnreadable;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The last drains of this machine, newest last. */
public record DrainHistory(List<Entry> entries) {
  static final int MOST = 50;

  /** One drain, in texts: it is only shown. */
  public record Entry(
      String requestedAt, String endedAt, String forWhat, String status, String how, String why) {}

  public DrainHistory {
    entries = List.copyOf(entries);
  }

  /** A history that cannot be read begins anew: it is for people only. */
  public static DrainHistory read(String text) {
    try {
      List<Entry> entries = new ArrayList<>();
      for (JsonNode entry : EdgeRecords.read(text).path("drains")) {
        entries.add(
            new Entry(
                Fields.text(entry, "requestedAt"),
                Fields.text(entry, "endedAt"),
                Fields.text(entry, "for"),
                Fields.text(entry, "status"),
                Fields.text(entry, "how"),
                Fields.text(entry, "why")));
      }
      return new DrainHistory(entries);
    } catch (RecordUnreadable damaged) {
      return new DrainHistory(List.of());
    }
  }

  /** A drain that a process told about twice stands there once. */
  public DrainHistory with(EdgeDrain drain) {
    Entry entry =
        new Entry(
            drain.requestedAt().map(Objects::toString).orElse(""),
            drain.since().toString(),
            String.join(
                ", ",
                drain.served().values().stream().map(NodeDrainRequest::context).sorted().toList()),
            drain.state().toString(),
            drain.ending().map(Enum::name).orElse(""),
            drain.message());
    List<Entry> all = new ArrayList<>(entries);
    all.removeIf(
        other ->
            !other.requestedAt().isEmpty()
                && other.requestedAt().equals(entry.requestedAt())
                && other.status().equals(entry.status()));
    all.add(entry);
    return new DrainHistory(all.subList(Math.max(0, all.size() - MOST), all.size()));
  }

  public String write() {
    ObjectNode text = Json.object();
    ArrayNode drains = text.putArray("drains");
    for (Entry entry : entries) {
      drains
          .addObject()
          .put("requestedAt", entry.requestedAt())
          .put("endedAt", entry.endedAt())
          .put("for", entry.forWhat())
          .put("status", entry.status())
          .put("how", entry.how())
          .put("why", entry.why());
    }
    return text.toString();
  }
}
