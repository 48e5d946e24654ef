package dev.drydock.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.HttpURLConnection;

/** The deletion of one object, never of another one that has its name now. */
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

  /** What belongs to it goes first (Foreground), later (Background), or stays (Orphan). */
  public Delete propagation(String policy) {
    options.put("propagationPolicy", policy);
    return this;
  }

  public ApiCall call() {
    return ApiCall.delete(resource.path(object.namespace(), object.name()), options.toString());
  }

  /**
   * Asks for the deletion; that it is gone already, or another one is there, is fine.
   *
   * @throws ApiFailure if it was refused, or nobody knows
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
