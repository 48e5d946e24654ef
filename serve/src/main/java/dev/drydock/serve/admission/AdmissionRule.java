package dev.drydock.serve.admission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.ApiFailure;

/** Judges the requests about one kind of object, and may change the objects. */
public interface AdmissionRule {
  /** What a request gets that the rule could not judge. */
  enum FailurePolicy {
    /** It is refused, with a line that says so. */
    FAIL,
    /** It is allowed as it is, with a warning that says so. */
    IGNORE
  }

  /**
   * What becomes of a request.
   *
   * @param request the {@code request} of an AdmissionReview
   * @throws ApiFailure if it cannot be found out
   */
  AdmissionVerdict judge(JsonNode request);

  default FailurePolicy failurePolicy() {
    return FailurePolicy.FAIL;
  }
}
