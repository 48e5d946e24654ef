package dev.drydock.health.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.health.event.SpanId;
import dev.drydock.kube.CompletionObject;
import dev.drydock.kube.CompletionObject.Completion;
import dev.drydock.kube.CompletionObjects;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.kube.ObjectName;
import java.util.List;

/** The NotifyMaintenances of MaintenanceRequests. */
final class RequestedMaintenances implements AutoCloseable {
  private static final CompletionObjects.Markers MARKS =
      new CompletionObjects.Markers(
          "drydock.dev/maintenance-request-uid",
          "drydock.dev/maintenance-request",
          "drydock.dev/maintenance-request");

  private static final int ID_BYTES = 8;

  private final CompletionObjects objects;
  private final MaintenanceRequestOptions options;

  RequestedMaintenances(Kube kube, MaintenanceRequestOptions options) {
    this.options = options;
    objects = new CompletionObjects(kube, MARKS, _ -> {});
  }

  private static CompletionObjects.Owner owner(MaintenanceRequestObject request) {
    return new CompletionObjects.Owner(
        request.uid(), "", request.object().ownerReference(MaintenanceRequestObject.RESOURCE));
  }

  private CompletionObject wanted(MaintenanceRequestObject request) {
    ObjectNode body = Json.object().put("kind", NotifyMaintenance.KIND);
    ObjectNode metadata = body.putObject("metadata");
    metadata.put("name", ObjectName.of("request-" + request.name()));
    metadata.putObject("labels").put(MARKS.owner(), request.uid());
    metadata.putObject("annotations").put(MARKS.subject(), request.name());
    metadata.putArray("ownerReferences").add(owner(request).reference());
    ObjectNode spec = body.putObject("spec");
    spec.put("nodeObject", request.node());
    spec.put("maintenanceID", "request-" + SpanId.digest(request.uid(), ID_BYTES));
    spec.put("maintenanceType", "planned");
    options.maintenanceClass().ifPresent(name -> spec.put("maintenanceClass", name));
    return new CompletionObject(
        List.of(NotifyMaintenance.GROUP + "/" + NotifyMaintenance.VERSION),
        NotifyMaintenance.KIND,
        options.namespace(),
        body,
        Completion.UNKNOWN);
  }

  /** The name of the maintenance, which exists now. */
  String make(MaintenanceRequestObject request) {
    CompletionObject wanted = wanted(request);
    objects.create(owner(request), wanted);
    return "%s %s/%s".formatted(NotifyMaintenance.KIND, options.namespace(), wanted.name());
  }

  void end(MaintenanceRequestObject request) {
    objects.delete(owner(request), wanted(request));
  }

  @Override
  public void close() {
    objects.close();
  }
}
