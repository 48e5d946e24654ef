package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;

/** The answer to a request. */
sealed interface ApiResponse {
  int code();

  /** A complete body. */
  record Whole(int code, JsonNode body, int retryAfterSeconds) implements ApiResponse {
    static Whole of(int code, JsonNode body) {
      return new Whole(code, body, 0);
    }
  }

  /** A short text, as health checks expect. */
  record Word(int code, String text) implements ApiResponse {}

  /** A stream of lines. */
  record Stream(Lines lines) implements ApiResponse {
    @Override
    public int code() {
      return 200;
    }
  }

  /** Writes lines until the stream ends. */
  interface Lines {
    void writeTo(CallInterceptor.Lines sink) throws IOException, InterruptedException;

    /** Starts a stream that is written only on request, for callers that wait themselves. */
    Following follow(CallInterceptor.Lines sink);
  }

  /** A watch that its caller polls. */
  interface Following {
    /** The watched resource. */
    String resource();

    /** The timeout that the caller requested. */
    Duration patience();

    /** Writes the events since the last call; false if the watch has ended. */
    boolean sendNews() throws IOException;
  }
}
