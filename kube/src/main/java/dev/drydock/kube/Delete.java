package dev.drydock.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.HttpURLConnection;
import java.time.Duration;

/** Deletes one object by UID, never another object of the same name. */
public final class Delete {
  private final Resource resource;
  private final ApiObject object;
  private final ObjectNode options = Json.object();

  private final ObjectNode preconditions;

  private Delete(Resource resource, ApiObject object) {
    this.resource = resource;
    this.object = object;
    options.put("apiVersion", "v1").put("kind", "DeleteOptions");
    preconditions = options.putObject("preconditions").put("uid", object.uid());
  }

  public static Delete sameUid(Resource resource, ApiObject object) {
    return new Delete(resource, object);
  }

  /** Does nothing either if the object was changed since it was read. */
  public static Delete ifUnchanged(Resource resource, ApiObject object) {
    Delete delete = sameUid(resource, object);
    delete.preconditions.put("resourceVersion", object.version());
    return delete;
  }

  /** Instead of the object's own grace period. */
  public Delete grace(Duration time) {
    options.put("gracePeriodSeconds", time.toSeconds());
    return this;
  }

  public ApiCall call() {
    return ApiCall.delete(resource.path(object.namespace(), object.name()), options.toString());
  }

  /**
   * Requests the deletion; succeeds if the object is gone or was replaced, or was changed where
   * that matters.
   *
   * @throws ApiFailure if it was refused, or there was no answer
   */
  public void send(KubeHttp http) {
    KubeAnswer answer = http.send(call());
    boolean gone =
        answer.code() == HttpURLConnection.HTTP_NOT_FOUND
            || answer.code() == HttpURLConnection.HTTP_CONFLICT;
    if (!gone) {
      var _ = answer.orThrow(resource.kind() + " " + object);
    }
  }
}
