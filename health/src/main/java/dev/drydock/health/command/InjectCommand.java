package dev.drydock.health.command;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.Terminal;
import dev.drydock.contracts.FirstLine;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.health.event.EventJson;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drydock inject}: sends a health event to a connector, as a monitor would. */
@Command(
    name = "inject",
    addMethodSubcommands = false,
    description = {
      "Send a health event to a connector, as a monitor would.",
      "Without -f: a GPU of the node has failed fatally (XID 79, restart recommended), or with"
          + " --healthy that it has recovered."
    })
public final class InjectCommand implements DrydockCommand {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Path STANDARD_INPUT = Path.of("-");

  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "NODE",
      description = "The node that the event is about. Needed without -f.")
  private @Nullable String node;

  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE",
      description =
          "Events to send instead: a JSON object, or an array of them; - for standard input."
              + " NODE replaces their node.")
  private @Nullable Path file;

  @Option(names = "--healthy", description = "The failure is over.")
  private boolean healthy;

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:8080/health-event",
      description = "The page of the connector that takes events. Default: ${DEFAULT-VALUE}.")
  private String url = "";

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    List<HealthEvent> events = file == null ? List.of(demo()) : read(file);
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
      for (HealthEvent event : events) {
        send(client, event);
        terminal
            .out()
            .println(
                "sent: %s of node %s is %s"
                    .formatted(
                        event.checkName(),
                        event.nodeName(),
                        event.isHealthy() ? "healthy" : "unhealthy"));
      }
    }
    return ExitCode.OK;
  }

  private HealthEvent demo() {
    if (node == null) {
      throw CommandFailure.usage("name the node that the event is about, or a file with -f");
    }
    HealthEvent.Builder event =
        HealthEvent.builder()
            .version(1)
            .agent("gpu-health-monitor")
            .componentClass("GPU")
            .checkName("GpuXidError")
            .nodeName(node)
            .entity("GPU", "0");
    return healthy
        ? event.isHealthy(true).build()
        : event
            .isFatal(true)
            .errorCode("79")
            .message("XID 79: the GPU has fallen off the bus")
            .recommendedAction(RecommendedAction.RESTART_VM)
            .build();
  }

  private List<HealthEvent> read(Path from) {
    try {
      JsonNode root = Json.read(text(from));
      List<HealthEvent> events = new ArrayList<>();
      if (root.isArray()) {
        root.forEach(each -> events.add(event(each)));
      } else {
        events.add(event(root));
      }
      return events;
    } catch (NoSuchFileException missing) {
      throw new CommandFailure("%s: no such file".formatted(from), missing);
    } catch (IOException | IllegalArgumentException malformed) {
      throw new CommandFailure(
          "%s: not a health event: %s".formatted(from, FirstLine.of(malformed)), malformed);
    }
  }

  private static String text(Path from) throws IOException {
    return from.equals(STANDARD_INPUT)
        ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
        : Files.readString(from);
  }

  private HealthEvent event(JsonNode json) {
    HealthEvent event = EventJson.event(json);
    return node == null ? event : event.toBuilder().nodeName(node).build();
  }

  private void send(HttpClient client, HealthEvent event) {
    try {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(URI.create(url))
                  .timeout(PATIENCE)
                  .header("Content-Type", "application/json")
                  .POST(HttpRequest.BodyPublishers.ofString(EventJson.json(event).toString()))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() / 100 != 2) {
        throw new CommandFailure(
            "%s did not take the event: %d %s"
                .formatted(url, answer.statusCode(), FirstLine.of(answer.body())));
      }
    } catch (IOException unreachable) {
      throw new CommandFailure(
          "no connector answers at %s (%s); is one running with --event-http-address? Name its page with --url"
              .formatted(url, FirstLine.of(unreachable)),
          unreachable);
    } catch (IllegalArgumentException malformed) {
      throw CommandFailure.usage("--url %s is not an address".formatted(url));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted", stopped);
    }
  }
}
