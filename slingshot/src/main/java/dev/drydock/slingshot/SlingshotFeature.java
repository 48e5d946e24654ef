package dev.drydock.slingshot;

import dev.drydock.contracts.cxi.CXIDevice;
import dev.drydock.contracts.cxi.CXIDriver;
import dev.drydock.serve.feature.Feature;
import dev.drydock.serve.feature.HistoryPart;
import dev.drydock.serve.feature.HistoryReader;
import dev.drydock.serve.feature.HistoryStep;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.OperatorPart;
import dev.drydock.serve.feature.RecordedEvent;
import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.feature.StatusPart;
import dev.drydock.slingshot.command.DriverUpdateEntry;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.List;

/** CXI network drivers: what runs on the nodes, and roll-outs of new versions. */
public final class SlingshotFeature implements Feature {
  @Override
  public String part() {
    return "slingshot";
  }

  @Override
  public String summary() {
    return "serves CXIDrivers: what runs on their nodes, roll-outs; brings maintenance and drain along";
  }

  /** A roll-out is a campaign, and its nodes are drained. */
  @Override
  public List<String> needs() {
    return List.of("maintenance", "drain");
  }

  @Override
  public List<Class<? extends CustomResource<?, ?>>> kinds() {
    return List.of(CXIDriver.class, CXIDevice.class);
  }

  @Override
  public List<Setting<?>> settings() {
    return SlingshotSettings.ALL;
  }

  @Override
  public OperatorPart operator(OperatorContext context) {
    return new SlingshotOperator(context);
  }

  @Override
  public List<StatusPart> status() {
    return List.of(DriverUpdateEntry.part());
  }

  /** What the roll-outs said about the node; its maintenances are shown by their own part. */
  @Override
  public List<HistoryPart> history(HistoryReader reader) {
    List<HistoryStep> steps =
        reader.events("CXIDrivers", CXIDriver.KIND).stream()
            .filter(event -> concerns(event, reader.node()))
            .map(event -> HistoryStep.of(event.at(), "cxi-driver", event.reason(), event.note()))
            .toList();
    return steps.isEmpty()
        ? List.of()
        : List.of(new HistoryPart(HistoryPart.Scope.NODE, "", steps));
  }

  private static boolean concerns(RecordedEvent event, String node) {
    return event.note().startsWith(node + ": ") || event.note().startsWith("node " + node + " ");
  }
}
