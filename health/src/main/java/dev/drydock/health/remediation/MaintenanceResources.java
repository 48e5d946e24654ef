package dev.drydock.health.remediation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.health.remediation.decide.MaintenanceReference;
import dev.drydock.health.remediation.decide.ResourceProgress;
import dev.drydock.health.resource.RenderedResource;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.CompletionObject;
import dev.drydock.kube.CompletionObject.Completion;
import dev.drydock.kube.CompletionObject.Progress;
import dev.drydock.kube.CompletionObjects;
import dev.drydock.kube.Delete;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Resource;
import dev.drydock.kube.ServedCondition;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The maintenance resources of nodes, of whatever kinds. */
final class MaintenanceResources implements AutoCloseable {
  private final Kube kube;
  private final CompletionObjects objects;

  /**
   * @param changed gets the node whose resource has changed; empty if any may have
   */
  MaintenanceResources(Kube kube, Consumer<String> changed) {
    this.kube = kube;
    objects = new CompletionObjects(kube, RemediationNames.MARKS, changed);
  }

  private static CompletionObjects.Owner owner(RemediationNodeObject node) {
    return new CompletionObjects.Owner(
        node.uid(), "", node.object().ownerReference(Resource.NODES));
  }

  private static CompletionObject wanted(
      RemediationNodeObject node, MaintenanceReference reference, ObjectNode body) {
    RenderedResource marked =
        RenderedResource.of(body)
            .kind(reference.kind().apiVersion(), reference.kind().kind())
            .named(reference.name())
            .ownedBy(node.object())
            .label(RemediationNames.MARKS.owner(), node.uid())
            .annotation(RemediationNames.MARKS.subject(), node.name());
    return new CompletionObject(
        List.of(reference.kind().apiVersion()),
        reference.kind().kind(),
        reference.kind().namespace(),
        marked.body(),
        Completion.UNKNOWN);
  }

  private static CompletionObject wanted(
      RemediationNodeObject node, MaintenanceReference reference) {
    return wanted(node, reference, Json.object());
  }

  /** How far a resource is. The API server is asked about one that the watch does not show. */
  ResourceProgress progress(RemediationNodeObject node, MaintenanceReference reference) {
    CompletionObject wanted = wanted(node, reference);
    try {
      return switch (objects.progress(owner(node), wanted)) {
        case Progress.Unknown(String why) -> new ResourceProgress.Unknown(why);
        case Progress.Absent() ->
            objects
                .read(owner(node), wanted)
                .map(object -> report(object, reference))
                .orElseGet(ResourceProgress.Absent::new);
        case Progress.Pending(ApiObject object, String _) -> report(object, reference);
        case Progress.Failed(ApiObject object, String _, String _) -> report(object, reference);
        case Progress.Complete(ApiObject object) -> report(object, reference);
      };
    } catch (ApiFailure failure) {
      if (failure.code() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw failure;
      }
      return new ResourceProgress.Absent(); // no such kind, so no such object
    }
  }

  private ResourceProgress report(ApiObject object, MaintenanceReference reference) {
    return MaintenanceReport.of(object, reference.kind(), kube.clock().instant());
  }

  /**
   * Makes it, unless it exists.
   *
   * @throws ApiFailure if it was refused, or an object of that name belongs to another
   */
  void make(RemediationNodeObject node, MaintenanceReference reference, ObjectNode body) {
    objects.create(owner(node), wanted(node, reference, body));
  }

  /** Deletes it, if its work has still not begun. */
  void withdraw(RemediationNodeObject node, MaintenanceReference reference) {
    CompletionObject wanted = wanted(node, reference);
    Optional<Resource> resource = objects.resource(wanted);
    objects
        .read(owner(node), wanted)
        .filter(
            object ->
                report(object, reference) instanceof ResourceProgress.Pending pending
                    && pending.idle())
        .ifPresent(object -> Delete.ifUnchanged(resource.orElseThrow(), object).send(kube.http()));
  }

  /** Says on the resource whether somebody serves it. */
  void sayServed(RemediationNodeObject node, MaintenanceReference reference, boolean served) {
    CompletionObject wanted = wanted(node, reference);
    Optional<Resource> resource = objects.resource(wanted);
    objects
        .read(owner(node), wanted)
        .ifPresent(
            object -> {
              Resource kind = resource.orElseThrow();
              var _ =
                  ServedCondition.write(
                      kube.http(),
                      kind,
                      object,
                      served
                          ? Optional.empty()
                          : Optional.of(ServedCondition.Waiting.forController(kind)),
                      kube.clock().instant());
            });
  }

  @Override
  public void close() {
    objects.close();
  }
}
