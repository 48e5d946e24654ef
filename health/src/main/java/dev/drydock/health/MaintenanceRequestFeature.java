package dev.drydock.health;

import dev.drydock.contracts.nvsentinel.MaintenanceRequest;
import dev.drydock.health.operator.MaintenanceRequestOperator;
import dev.drydock.health.operator.MaintenanceRequestSettings;
import dev.drydock.serve.feature.Feature;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.OperatorPart;
import dev.drydock.serve.feature.Setting;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.List;

/** MaintenanceRequests, by which other programs ask for the maintenance of a node. */
public final class MaintenanceRequestFeature implements Feature {
  @Override
  public String part() {
    return "maintenance-request";
  }

  /** As in the program that the kind comes from, it is off unless somebody wants it. */
  @Override
  public boolean onlyIfNamed() {
    return true;
  }

  @Override
  public String summary() {
    return "serves MaintenanceRequests";
  }

  @Override
  public List<Class<? extends CustomResource<?, ?>>> kinds() {
    return List.of(MaintenanceRequest.class);
  }

  @Override
  public List<Setting<?>> settings() {
    return MaintenanceRequestSettings.ALL;
  }

  @Override
  public OperatorPart operator(OperatorContext context) {
    return new MaintenanceRequestOperator(context, System.getenv());
  }
}
