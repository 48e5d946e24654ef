package dev.drydock.app.status;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.command.DrainRequestStatusEntry;
import dev.drydock.kube.Json;
import dev.drydock.maintenance.command.MaintenanceStatusEntry;
import dev.drydock.serve.feature.StatusEntry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/** Objects as they are read, written down in short. */
final class StatusFixture {
  static final String SINCE = "2026-01-01T00:00:00Z";
  static final String READY = condition("Ready", "True");

  private StatusFixture() {}

  private static JsonNode json(String text) {
    try {
      return Json.read(text.replace('\'', '"'));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String condition(String type, String status) {
    return "{'type':'%s','status':'%s','lastTransitionTime':'%s','message':'because of %1$s'}"
        .formatted(type, status, SINCE);
  }

  static NodeSnapshot node(String name, String... conditions) {
    return NodeSnapshot.read(
        json(
            "{'metadata':{'name':'%s'},'status':{'conditions':[%s]}}"
                .formatted(name, String.join(",", conditions))));
  }

  /** Holds as in the annotation; none for an empty text. */
  static NodeSnapshot cordoned(String name, String holds, String... conditions) {
    String annotations =
        holds.isEmpty() ? "" : "'drydock.dev/holds':'%s'".formatted(holds.replace("\"", "\\\""));
    return NodeSnapshot.read(
        json(
            "{'metadata':{'name':'%s','annotations':{%s}},'spec':{'unschedulable':true},'status':{'conditions':[%s]}}"
                .formatted(name, annotations, String.join(",", conditions))));
  }

  static String hold(String holder, String reason) {
    return "{\"%s\":{\"reason\":\"%s\",\"since\":\"%s\"}}".formatted(holder, reason, SINCE);
  }

  static StatusEntry maintenance(String node, String id, String state, String status) {
    return requireNonNull(
        MaintenanceStatusEntry.read(
            json(
                """
            {'metadata':{'name':'%2$s-%1$s','namespace':'ops','uid':'u','creationTimestamp':'%3$s',
            'finalizers':['ngn2.nvidia.com/finalNotice']},
            'spec':{'nodeObject':'%1$s','maintenanceID':'%2$s','maintenanceType':'planned',
            'maintenanceClass':'gpu'},'status':{%5$s 'maintenanceStatus':'%4$s'}}"""
                    .formatted(node, id, SINCE, state, status))));
  }

  static StatusEntry drain(String node, String status) {
    return requireNonNull(
        DrainRequestStatusEntry.read(
            json(
                "{'metadata':{'name':'d','namespace':'ops','creationTimestamp':'%s'},'spec':{'nodeName':'%s'},'status':{%s}}"
                    .formatted(SINCE, node, status))));
  }

  static StatusSnapshot snapshot(List<NodeSnapshot> nodes) {
    return new StatusSnapshot(nodes, List.of(), Optional.empty(), List.of());
  }
}
