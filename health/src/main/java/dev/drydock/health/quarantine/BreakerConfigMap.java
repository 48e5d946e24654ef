package dev.drydock.health.quarantine;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.health.decide.BreakerScope;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import dev.drydock.kube.VersionedObject;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The state of the breakers in the ConfigMap that the original has, too. {@code status} and {@code
 * cursor} are the original's keys: a person who sets {@code status} to {@code CLOSED} resets the
 * breaker of the fleet.
 *
 * @param trippedAt since when the breaker of the fleet is tripped, or was before its reset
 * @param scopes breakers of domains and causes that are tripped
 * @param create whether the events that were blocked are to be left out after the reset
 * @param blockedSince when the oldest event was stored that was blocked and not yet looked at again
 */
public record BreakerConfigMap(
    ApiObject object,
    boolean tripped,
    Instant trippedAt,
    SortedMap<BreakerScope, Instant> scopes,
    boolean create,
    Optional<Instant> blockedSince)
    implements VersionedObject {
  public static final String NAME = "circuit-breaker";
  static final String STATUS = "status";
  static final String CURSOR = "cursor";
  static final String SCOPES = "scopes";
  static final String TRIPPED_AT = "trippedAt";
  static final String BLOCKED_SINCE = "blockedSince";
  static final String TRIPPED = "TRIPPED";
  static final String CLOSED = "CLOSED";
  static final String RESUME = "RESUME";
  static final String CREATE = "CREATE";

  public BreakerConfigMap {
    scopes = new TreeMap<>(scopes);
  }

  public static BreakerConfigMap read(JsonNode map) {
    JsonNode data = map.path("data");
    SortedMap<BreakerScope, Instant> scopes = new TreeMap<>();
    try {
      for (var entry : Json.read(data.path(SCOPES).asText("{}")).properties()) {
        BreakerScope.find(entry.getKey())
            .ifPresent(scope -> scopes.put(scope, Fields.time(entry.getValue().asText())));
      }
      return new BreakerConfigMap(
          ApiObject.of(map),
          text(data, STATUS).equals(TRIPPED),
          Fields.time(data, TRIPPED_AT),
          scopes,
          text(data, CURSOR).equals(CREATE),
          text(data, BLOCKED_SINCE).isEmpty()
              ? Optional.empty()
              : Optional.of(Fields.time(data, BLOCKED_SINCE)));
    } catch (IOException | DateTimeException malformed) {
      throw new IllegalArgumentException(
          "ConfigMap %s cannot be read: %s".formatted(NAME, malformed.getMessage()), malformed);
    }
  }

  /** All breakers that are tripped. */
  public SortedMap<BreakerScope, Instant> allTripped() {
    SortedMap<BreakerScope, Instant> all = new TreeMap<>(scopes);
    if (tripped) {
      all.put(BreakerScope.FLEET, trippedAt);
    }
    return all;
  }

  /** The ConfigMap of this namespace; created if there is none. */
  static BreakerConfigMap findOrCreate(KubeHttp http, String namespace) {
    ObjectNode map = Resource.CONFIG_MAPS.manifest(namespace, NAME);
    map.putObject("data").put(STATUS, CLOSED).put(CURSOR, RESUME);
    return read(http.createOrFind(Resource.CONFIG_MAPS, map).object());
  }

  public static Optional<BreakerConfigMap> find(KubeHttp http, String namespace) {
    return http.find(Resource.CONFIG_MAPS, namespace, NAME).map(BreakerConfigMap::read);
  }

  private Patch patch() {
    return Patch.ifUnchanged(Resource.CONFIG_MAPS, object);
  }

  private Optional<BreakerConfigMap> send(KubeHttp http, Consumer<ObjectNode> data) {
    return patch()
        .fields(body -> data.accept(body.putObject("data")))
        .sendUnlessConflict(http)
        .map(BreakerConfigMap::read);
  }

  /** Empty if it was changed since it was read. */
  Optional<BreakerConfigMap> trip(KubeHttp http, BreakerScope scope, Instant now) {
    if (scope.equals(BreakerScope.FLEET)) {
      return send(http, data -> data.put(STATUS, TRIPPED).put(TRIPPED_AT, now.toString()));
    }
    SortedMap<BreakerScope, Instant> more = new TreeMap<>(scopes);
    more.put(scope, now);
    return send(http, data -> data.put(SCOPES, written(more)));
  }

  private static String written(SortedMap<BreakerScope, Instant> scopes) {
    ObjectNode object = Json.object();
    scopes.forEach((scope, since) -> object.put(scope.toString(), since.toString()));
    return object.toString();
  }

  /**
   * Closes breakers; empty if it was changed since it was read.
   *
   * @param scope only this one; absent for all
   * @param create whether the events that were blocked are left out
   */
  public Optional<BreakerConfigMap> reset(
      KubeHttp http, Optional<BreakerScope> scope, boolean create) {
    SortedMap<BreakerScope, Instant> left = new TreeMap<>(scopes);
    left.keySet().removeIf(each -> scope.isEmpty() || scope.get().equals(each));
    boolean fleet = scope.isEmpty() || scope.get().equals(BreakerScope.FLEET);
    return send(
        http,
        data -> {
          if (fleet) {
            data.put(STATUS, CLOSED);
          }
          data.put(SCOPES, left.isEmpty() ? null : written(left));
          data.put(CURSOR, create ? CREATE : RESUME);
        });
  }

  /** Remembers that events since then are to be looked at again. */
  Optional<BreakerConfigMap> blocked(KubeHttp http, Instant since) {
    return send(http, data -> data.put(BLOCKED_SINCE, since.toString()));
  }

  /** Nothing is left to be looked at again. */
  Optional<BreakerConfigMap> resumed(KubeHttp http) {
    return send(http, data -> data.put(BLOCKED_SINCE, (String) null).put(CURSOR, RESUME));
  }
}
