package dev.drydock.serve.admission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.ApiFailure;

/** Evaluates the requests for one kind of object, and may change the objects. */
public interface AdmissionRule {
  /** The answer if the rule fails. */
  enum FailurePolicy {
    /** The request is refused, with a message that says why. */
    FAIL,
    /** The request is allowed unchanged, with a warning that says why. */
    IGNORE
  }

  /**
   * Evaluates a request.
   *
   * @param request the {@code request} of an AdmissionReview
   * @throws ApiFailure if the objects that the rule needs cannot be read
   */
  AdmissionVerdict judge(JsonNode request);

  default FailurePolicy failurePolicy() {
    return FailurePolicy.FAIL;
  }
}
