package dev.drydock.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The API server's audit log of the peers' requests. Each run has its own user, which identifies
 * its requests whatever user agent a program sends.
 */
record AuditLog(Path policy, Path log) {
  /** The group of all users whose requests are logged. */
  static final String GROUP = "drydock-bench";

  private static final Set<String> WRITES =
      Set.of("create", "update", "patch", "delete", "deletecollection");
  private static final ObjectMapper JSON = new ObjectMapper();

  // Other users are not logged, so that auditing costs the rest of the cluster nothing.
  private static final String POLICY =
      """
      apiVersion: audit.k8s.io/v1
      kind: Policy
      omitStages: [RequestReceived]
      rules:
      - level: Metadata
        userGroups: [%s]
      - level: None
      """
          .formatted(GROUP);

  /** A request: when it arrived, what it was for and how it was answered. */
  record Request(Instant arrived, String verb, String resource, String object, int code) {
    boolean isWrite() {
      return WRITES.contains(verb);
    }

    boolean isGranted() {
      return code / 100 == 2;
    }

    boolean grantedEviction() {
      return resource.equals("pods/eviction") && isGranted();
    }
  }

  static AuditLog in(Path directory) throws IOException {
    Path policy = Files.writeString(directory.resolve("audit-policy.yaml"), POLICY);
    return new AuditLog(policy, directory.resolve("audit.log"));
  }

  String[] apiServerFlags() {
    return new String[] {
      "--audit-policy-file=" + policy, "--audit-log-path=" + log, "--audit-log-maxsize=10000"
    };
  }

  /** The current end of the log: requests of a later run come after it. */
  long end() {
    try {
      return Files.exists(log) ? Files.size(log) : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A user's requests that were logged after this point, each once. */
  List<Request> requestsOf(String user, long after) {
    List<Request> requests = new ArrayList<>();
    Set<String> seen = new HashSet<>(); // a watch is logged when it starts and when it ends
    try (SeekableByteChannel channel = Files.newByteChannel(log).position(after);
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode event = JSON.readTree(line);
        if (event.path("user").path("username").asText().equals(user)
            && seen.add(event.path("auditID").asText())) {
          requests.add(request(event));
        }
      }
      return requests;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the audit log", e);
    }
  }

  private static Request request(JsonNode event) {
    JsonNode object = event.path("objectRef");
    String subresource = object.path("subresource").asText();
    return new Request(
        Instant.parse(event.path("requestReceivedTimestamp").asText()),
        event.path("verb").asText(),
        object.path("resource").asText() + (subresource.isEmpty() ? "" : "/" + subresource),
        object.path("name").asText(),
        event.path("responseStatus").path("code").asInt());
  }
}
