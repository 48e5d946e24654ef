package dev.drydock.app.example;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.drain.LeaderEngine;
import dev.drydock.kube.Resource;
import dev.drydock.serve.feature.Feature;
import dev.drydock.serve.feature.HistoryPart;
import dev.drydock.serve.feature.HistoryPhase;
import dev.drydock.serve.feature.HistoryReader;
import dev.drydock.serve.feature.HistoryStep;
import dev.drydock.serve.feature.HoldOwner;
import dev.drydock.serve.feature.LeaderTerm;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.OperatorPart;
import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.feature.SettingKind;
import dev.drydock.serve.feature.StatusEntry;
import dev.drydock.serve.feature.StatusPart;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A feature that nothing outside of this folder knows. */
public final class InspectionFeature implements Feature {
  static final Resource INSPECTIONS =
      Resource.namespaced("example.drydock.dev", "v1", "inspections", "Inspection");

  static final HoldOwner OWNER = new HoldOwner("inspection/", INSPECTIONS, "nodeName");

  static final Setting<String> REASON =
      Setting.of(
          "inspections.reason", SettingKind.NAME, "looked-at", "Why nodes are held, for people.");

  @Override
  public String part() {
    return "inspection";
  }

  @Override
  public String summary() {
    return "holds nodes for Inspections";
  }

  @Override
  public List<Class<? extends CustomResource<?, ?>>> kinds() {
    return List.of(Inspection.class);
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(REASON);
  }

  @Override
  public List<HoldOwner> holdOwners() {
    return List.of(OWNER);
  }

  @Override
  public OperatorPart operator(OperatorContext context) {
    return new OperatorPart() {
      @Override
      public AutoCloseable lead(LeaderTerm term) {
        InspectionController controller =
            new InspectionController(
                context.kube(), LeaderEngine.of(context, term), context.settings().get(REASON));
        controller.start();
        return controller;
      }
    };
  }

  @Override
  public List<StatusPart> status() {
    return List.of(
        new StatusPart(INSPECTIONS.kind(), INSPECTIONS.all(), InspectionFeature::statusEntry));
  }

  private static StatusEntry statusEntry(JsonNode object) {
    InspectionObject inspection = InspectionObject.read(object);
    return new StatusEntry(
        inspection.node(),
        INSPECTIONS.kind(),
        StatusEntry.TASK,
        Optional.of("inspected"),
        inspection.created(),
        Optional.empty(),
        "",
        Optional.empty(),
        List.of("someone to delete Inspection " + inspection));
  }

  @Override
  public List<HistoryPart> history(HistoryReader reader) {
    return reader.list("Inspections", INSPECTIONS.all(), InspectionObject::read).stream()
        .filter(inspection -> inspection.node().equals(reader.node()))
        .map(
            inspection ->
                new HistoryPart(
                    HistoryPart.Scope.NODE,
                    inspection.name(),
                    List.of(
                        HistoryStep.of(
                            inspection.created(),
                            "inspection",
                            "InspectionRequested",
                            "Inspection " + inspection))))
        .toList();
  }

  @Override
  public Map<String, HistoryPhase> historyPhases() {
    return Map.of("InspectionRequested", HistoryPhase.CREATED.after());
  }
}
