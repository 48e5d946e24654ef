package dev.drydock.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.HttpURLConnection;

/** Deletes one object by UID, never another object of the same name. */
public final class Delete {
  private final Resource resource;
  private final ApiObject object;
  private final ObjectNode options = Json.object();

  private Delete(Resource resource, ApiObject object) {
    this.resource = resource;
    this.object = object;
    options.put("apiVersion", "v1").put("kind", "DeleteOptions");
    options.putObject("preconditions").put("uid", object.uid());
  }

  public static Delete sameUid(Resource resource, ApiObject object) {
    return new Delete(resource, object);
  }

  public ApiCall call() {
    return ApiCall.delete(resource.path(object.namespace(), object.name()), options.toString());
  }

  /**
   * Requests the deletion; succeeds if the object is gone or was replaced.
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
