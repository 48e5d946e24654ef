package dev.drydock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
  private static final String EVICTION =
      """
      {"auditID":"%s","stage":"ResponseComplete","verb":"create","user":{"username":"%s"},\
      "objectRef":{"resource":"pods","namespace":"n","name":"web-1","subresource":"eviction"},\
      "responseStatus":{"code":%d},"requestReceivedTimestamp":"2026-01-01T00:00:00.250000Z"}
      """;
  private static final String WATCH =
      """
      {"auditID":"w","stage":"%s","verb":"watch","user":{"username":"run-1"},\
      "objectRef":{"resource":"pods"},"responseStatus":{"code":200},\
      "requestReceivedTimestamp":"2026-01-01T00:00:00.000000Z"}
      """;

  @TempDir Path directory;
  private AuditLog audit;

  @BeforeEach
  void open() throws IOException {
    audit = AuditLog.in(directory);
  }

  private void logged(String line) throws IOException {
    Files.writeString(audit.log(), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Test
  void aRequestOfTheUserTellsWhenItArrivedAndHowItWasAnswered() throws IOException {
    logged(EVICTION.formatted("a", "run-1", 429));
    logged(EVICTION.formatted("b", "run-1", 201));

    assertThat(audit.requestsOf("run-1", 0))
        .containsExactly(eviction(429), eviction(201))
        .extracting(AuditLog.Request::grantedEviction)
        .containsExactly(false, true);
  }

  private static AuditLog.Request eviction(int code) {
    Instant arrived = Instant.parse("2026-01-01T00:00:00.250Z");
    return new AuditLog.Request(arrived, "create", "pods/eviction", "web-1", code);
  }

  @Test
  void requestsOfOthersAndOfEarlierRunsDoNotCount() throws IOException {
    logged(EVICTION.formatted("a", "run-1", 201));
    long end = audit.end();
    logged(EVICTION.formatted("b", "run-2", 201));

    assertThat(audit.requestsOf("run-1", end)).isEmpty();
  }

  @Test
  void aWatchIsOneRequestAlthoughItIsLoggedTwice() throws IOException {
    logged(WATCH.formatted("ResponseStarted"));
    logged(WATCH.formatted("ResponseComplete"));

    assertThat(audit.requestsOf("run-1", 0)).hasSize(1);
  }

  @Test
  void beforeTheFirstRequestTheLogEndsAtItsStart() {
    assertThat(audit.end()).isZero();
  }
}
