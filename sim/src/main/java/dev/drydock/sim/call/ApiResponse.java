package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.sim.select.FieldSelector;
import dev.drydock.sim.store.ObjectChange;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

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

  /** A watch that is fed by its caller. */
  interface Following {
    /** The watched resource. */
    String resource();

    /** The exact match that all watched objects have in common, if any. */
    Optional<FieldSelector.Exact> exact();

    /** How long the caller wanted to watch. */
    Duration patience();

    /**
     * Writes the current objects, or the changes since the version that the caller knows; false if
     * that version is too old.
     */
    boolean begin() throws IOException;

    /** Writes this change, unless it was written already or is not watched. */
    void send(ObjectChange event) throws IOException;

    /** Whether more can come. */
    boolean isOpen();

    /** Writes that everything up to this version was written, if the caller wants to know. */
    void end(long version) throws IOException;
  }
}
