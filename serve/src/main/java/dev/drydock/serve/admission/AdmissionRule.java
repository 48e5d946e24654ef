package dev.drydock.serve.admission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.ApiFailure;
import java.util.List;

/** Judges the requests about one kind of object. */
public interface AdmissionRule {
  /**
   * What speaks against a request, a line for each field; none if nothing does.
   *
   * @param request the {@code request} of an AdmissionReview
   * @throws ApiFailure if it cannot be found out, which refuses the request
   */
  List<String> refusals(JsonNode request);
}
