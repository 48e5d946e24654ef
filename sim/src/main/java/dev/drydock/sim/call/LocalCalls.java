package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The API without HTTP: the same calls, interceptors and answers, on the caller's thread. */
public final class LocalCalls {
  /** The server's answer. The body is shared with the store and must not be modified. */
  public record Answer(int code, JsonNode body) {
    private static final int FIRST_FAILURE = 400;

    public boolean isSuccess() {
      return code < FIRST_FAILURE;
    }
  }

  private final ApiCalls calls;

  public LocalCalls(ApiCalls calls) {
    this.calls = calls;
  }

  /** Makes one call; watches and bodies other than JSON need HTTP. */
  public Answer call(String method, String path, String contentType, @Nullable JsonNode body) {
    ApiRequest request =
        new ApiRequest(
            method,
            URI.create(path),
            header -> header.equals("Content-Type") ? contentType : "",
            body == null ? new byte[0] : body.toString().getBytes(StandardCharsets.UTF_8));
    if (calls.answer(request) instanceof ApiResponse.Whole whole) {
      return new Answer(whole.code(), whole.body());
    }
    throw new IllegalArgumentException(path + " answers over HTTP only");
  }
}
