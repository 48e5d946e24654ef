package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Answers who may do what. The simulation has no rights to check, so everybody may everything. */
final class AccessReviews {
  private static final List<String> SELF =
      List.of("apis", "authorization.k8s.io", "v1", "selfsubjectaccessreviews");

  private AccessReviews() {}

  static boolean isMeant(ApiRequest request, List<String> path) {
    return request.method().equals("POST") && path.equals(SELF);
  }

  static ObjectNode answer(ApiRequest request) {
    ObjectNode review = request.object();
    review.putObject("status").put("allowed", true).put("reason", "rights are not simulated");
    return review;
  }
}
