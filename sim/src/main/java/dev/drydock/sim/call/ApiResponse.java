package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;

/** What goes back to the caller. */
sealed interface ApiResponse {
  int code();

  /** All at once. */
  record Whole(int code, JsonNode body, int retryAfterSeconds) implements ApiResponse {
    static Whole of(int code, JsonNode body) {
      return new Whole(code, body, 0);
    }
  }

  /** A short word, as health checks expect it. */
  record Word(int code, String text) implements ApiResponse {}

  /** Line by line, as things happen. */
  record Stream(Lines lines) implements ApiResponse {
    @Override
    public int code() {
      return 200;
    }
  }

  /** Writes lines until there are no more. */
  interface Lines {
    void writeTo(CallInterceptor.Lines sink) throws IOException, InterruptedException;

    /** Begins to write, but only when asked: for callers that wait by themselves. */
    Following follow(CallInterceptor.Lines sink);
  }

  /** A watch whose caller asks what is new. */
  interface Following {
    /** What is watched. */
    String resource();

    /** How long the caller wanted to watch. */
    Duration patience();

    /** Writes what has happened since; false if nothing more will come. */
    boolean sendNews() throws IOException;
  }
}
