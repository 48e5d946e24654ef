package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Answers access reviews. The simulation has no authorization, so everything is allowed. */
final class AccessReviews {
  private static final List<String> SELF =
      List.of("apis", "authorization.k8s.io", "v1", "selfsubjectaccessreviews");

  private AccessReviews() {}

  static boolean isMeant(ApiRequest request, List<String> path) {
    return request.method().equals("POST") && path.equals(SELF);
  }

  static ObjectNode answer(ApiRequest request) {
    ObjectNode review = request.object();
    review.putObject("status").put("allowed", true).put("reason", "authorization is not simulated");
    return review;
  }
}
