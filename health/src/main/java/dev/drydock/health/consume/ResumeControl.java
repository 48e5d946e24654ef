package dev.drydock.health.consume;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.health.store.ChangeFeed;
import dev.drydock.health.store.EventStore;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Fields;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ConfigMap by which a person makes a consumer of events begin anew at its next start. Its keys
 * are those of the original: for each consumer {@code CREATE} or {@code RESUME}. With {@code
 * CREATE} the consumer forgets its position, leaves out what is stored, and says {@code RESUME}
 * again.
 */
public final class ResumeControl {
  private static final Logger LOG = LoggerFactory.getLogger(ResumeControl.class);

  public static final String NAME = "resume-control";

  private static final String CREATE = "CREATE";
  private static final String RESUME = "RESUME";

  /** Written between the two, so that a crash there is not taken for the end. */
  private static final String CREATING = "CREATING";

  private final KubeHttp http;
  private final String namespace;
  private final String consumer;

  /**
   * @param namespace of the process
   */
  public ResumeControl(KubeHttp http, String namespace, String consumer) {
    this.http = http;
    this.namespace = namespace;
    this.consumer = consumer;
  }

  /**
   * How a consumer starts.
   *
   * @param anew it forgets its position and begins with what happens from now on
   * @param cutoff what was stored before is not read again, whenever it lists
   */
  record Start(boolean anew, Optional<Instant> cutoff) {}

  /**
   * Starts the consumer as the ConfigMap says. A crash anywhere in between is continued by the next
   * start.
   *
   * @param fromNow opens the consumer's feed with what happens from now on
   * @return the time before which stored events are left out
   */
  public Instant start(EventStore store, Supplier<ChangeFeed> fromNow, Instant now) {
    Start start = begin(now);
    if (start.anew()) {
      LOG.info("{} begins anew and leaves stored events out, as ConfigMap {} says", consumer, NAME);
      store.forget(consumer);
      fromNow.get().close(); // which stores the position
      begun();
    }
    return start.cutoff().orElse(Instant.MIN);
  }

  /** Reads what is asked for. The cutoff is written before anything is forgotten. */
  Start begin(Instant now) {
    Optional<JsonNode> map = http.find(Resource.CONFIG_MAPS, namespace, NAME);
    String word = map.map(present -> text(present.path("data"), consumer)).orElse("");
    Optional<Instant> cutoff =
        map.map(present -> text(present.path("data"), cutoffKey()))
            .filter(time -> !time.isEmpty())
            .map(Fields::time);
    return switch (word) {
      case CREATE -> {
        write(data -> data.put(consumer, CREATING).put(cutoffKey(), now.toString()));
        yield new Start(true, Optional.of(now));
      }
      case CREATING -> new Start(true, cutoff.or(() -> Optional.of(now)));
      default -> new Start(false, cutoff);
    };
  }

  /** Says that the position is forgotten. */
  void begun() {
    write(data -> data.put(consumer, RESUME));
  }

  private String cutoffKey() {
    return consumer + "-cutoff";
  }

  private void write(Consumer<ObjectNode> change) {
    var _ =
        Patch.retrying(
            "ConfigMap " + NAME,
            () -> {
              Optional<JsonNode> map = http.find(Resource.CONFIG_MAPS, namespace, NAME);
              return map.isEmpty()
                  ? Optional.of(true) // a person has removed it meanwhile
                  : Patch.ifUnchanged(Resource.CONFIG_MAPS, ApiObject.of(map.get()))
                      .fields(body -> change.accept(body.putObject("data")))
                      .sendUnlessConflict(http)
                      .map(_ -> true);
            });
  }
}
