package dev.drydock.sim.contract;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An API server's answer, verbatim. */
record Answer(
    int code,
    @Nullable String retryAfter,
    @Nullable String date,
    List<String> warnings,
    String body) {
  static Answer of(HttpResponse<String> response) {
    return new Answer(
        response.code(),
        response.header("Retry-After"),
        response.header("Date"),
        List.copyOf(response.headers("Warning")),
        requireNonNull(response.body()));
  }

  JsonNode json() {
    return requireNonNull(Serialization.unmarshal(body, ObjectNode.class));
  }

  /** The body, which must be a Status. */
  Status status() {
    if (!json().path("kind").asText().equals("Status")) {
      throw new AssertionError("not a Status: " + this);
    }
    return requireNonNull(Serialization.unmarshal(body, Status.class));
  }

  boolean isSuccess() {
    return "Success".equals(status().getStatus());
  }

  List<StatusCause> causes() {
    return status().getDetails() == null ? List.of() : status().getDetails().getCauses();
  }

  @Nullable Integer retryAfterSeconds() {
    return status().getDetails() == null ? null : status().getDetails().getRetryAfterSeconds();
  }
}
