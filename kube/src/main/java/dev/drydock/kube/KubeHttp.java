package dev.drydock.kube;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.ApiCall.Verb;
import dev.drydock.kube.time.TimeSource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests to the API server. A process creates one instance and shares it, so that its limits hold
 * for the whole process. Thread-safe.
 */
public final class KubeHttp implements AutoCloseable {
  /** The server itself retries an eviction that conflicts on a budget, for ten seconds. */
  public static final Duration ANSWER_WITHIN = Duration.ofSeconds(40);

  /** The maximum number of objects per page of a list. */
  public static final int PAGE_SIZE = 500;

  private final Transport transport;
  private final RequestInterceptor interceptor;
  private final int pageSize;
  private final Duration answerWithin;
  private final Map<Verb, LongAdder> requests = new ConcurrentHashMap<>();
  private final Set<Transport.Stream> watches = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  public KubeHttp(KubernetesClient client, RequestInterceptor interceptor, int pageSize) {
    this(client, interceptor, pageSize, ANSWER_WITHIN);
  }

  public KubeHttp(
      KubernetesClient client,
      RequestInterceptor interceptor,
      int pageSize,
      Duration answerWithin) {
    this(new HttpTransport(client, TimeSource.REAL), interceptor, pageSize, answerWithin);
  }

  /**
   * @param pageSize the maximum number of objects per page; 0 for all in one answer
   * @param answerWithin the time limit; after it the request's outcome is unknown
   */
  public KubeHttp(
      Transport transport, RequestInterceptor interceptor, int pageSize, Duration answerWithin) {
    this.transport = transport;
    this.interceptor = interceptor;
    this.pageSize = pageSize;
    this.answerWithin = answerWithin;
  }

  /** The number of requests by verb. */
  public Map<Verb, Long> requests() {
    Map<Verb, Long> counts = new EnumMap<>(Verb.class);
    requests.forEach((verb, count) -> counts.put(verb, count.sum()));
    return counts;
  }

  private void count(Verb verb) {
    requests.computeIfAbsent(verb, _ -> new LongAdder()).increment();
  }

  public KubeAnswer send(ApiCall call) {
    return send(call, answerWithin);
  }

  /** Waits at most this long for the answer. */
  public KubeAnswer send(ApiCall call, Duration within) {
    return send(call, () -> transport.send(call, within));
  }

  private KubeAnswer send(ApiCall call, Supplier<KubeAnswer> exchange) {
    interceptor.before(call);
    KubeAnswer answer = closedAnswer();
    if (!closed && !ControlLoop.isEnded()) {
      count(call.verb());
      answer = exchange.get();
    }
    interceptor.after(call, answer.code());
    ControlLoop.progress();
    return answer;
  }

  /**
   * One object as it is now; empty if it does not exist, or the cluster does not serve its kind.
   *
   * @param namespace empty for cluster-scoped kinds
   * @throws ApiFailure if it cannot be read
   */
  public Optional<JsonNode> find(Resource resource, String namespace, String name) {
    KubeAnswer answer = send(ApiCall.get(resource.path(namespace, name)));
    return answer.code() == HttpURLConnection.HTTP_NOT_FOUND
        ? Optional.empty()
        : Optional.of(answer.orThrow(resource.describe(namespace, name)));
  }

  /** An object that was to be created, as it is now. */
  public record Creation(JsonNode object, boolean existed) {}

  /**
   * Creates an object; one of that name that exists already is read instead and may be another's.
   *
   * @throws ApiFailure if it could not be created; with a conflict, if the one that existed is gone
   */
  public Creation createOrFind(Resource resource, ObjectNode object) {
    JsonNode metadata = object.path("metadata");
    String namespace = text(metadata, "namespace");
    String name = text(metadata, "name");
    KubeAnswer answer = send(ApiCall.create(resource.collection(namespace), object.toString()));
    if (answer.code() == HttpURLConnection.HTTP_CONFLICT) {
      Optional<JsonNode> there = find(resource, namespace, name);
      if (there.isPresent()) {
        return new Creation(there.get(), true);
      }
    }
    return new Creation(answer.orThrow(resource.describe(namespace, name)), false);
  }

  /**
   * Server-side apply: creates the object, or updates the fields that we applied before.
   *
   * @throws ApiFailure if it was refused, or there was no answer
   */
  public JsonNode apply(Resource resource, ObjectNode object) {
    JsonNode metadata = object.path("metadata");
    String namespace = text(metadata, "namespace");
    String name = text(metadata, "name");
    return send(ApiCall.apply(resource.path(namespace, name), object.toString()))
        .orThrow(resource.describe(namespace, name));
  }

  /**
   * Passes on the objects of a list page by page. Returns the answer to the last page, or to the
   * first that failed.
   */
  public KubeAnswer list(Source source, Consumer<JsonNode> objects) {
    return list(source, pageSize, Integer.MAX_VALUE, objects);
  }

  /** As {@link #list}, up to a limit; the answer then has a {@link #continuation}. */
  public KubeAnswer list(Source source, int most, Consumer<JsonNode> objects) {
    return list(source, pageSize == 0 ? most : Math.min(pageSize, most), most, objects);
  }

  /**
   * All objects of a list as they are now.
   *
   * @param what is listed, for people
   * @param reader returns null for objects of no interest
   * @throws ApiFailure if they cannot be listed
   */
  public <T> List<T> readAll(String what, Source source, Function<JsonNode, @Nullable T> reader) {
    List<T> all = new ArrayList<>();
    var _ =
        list(
                source,
                object -> {
                  T read = reader.apply(object);
                  if (read != null) {
                    all.add(read);
                  }
                })
            .orThrow(what);
    return all;
  }

  /**
   * A page that is too large to be collected is requested again with fewer objects; the pages after
   * it grow again.
   */
  private KubeAnswer list(Source source, int page, int most, Consumer<JsonNode> objects) {
    int largest = page == 0 ? PAGE_SIZE : page;
    int limit = page;
    String token = "";
    long count = 0;
    while (true) {
      String more = token.isEmpty() ? "" : "&continue=" + ApiCall.encode(token);
      ApiCall call = ApiCall.list(source.with("limit=" + limit + more));
      AtomicInteger items = new AtomicInteger();
      KubeAnswer answer =
          send(
              call,
              () ->
                  transport.list(
                      call,
                      answerWithin,
                      object -> {
                        items.incrementAndGet();
                        objects.accept(object);
                      }));
      if (answer.isTooLarge() && limit != 1) {
        limit = limit == 0 ? largest : Math.max(1, limit / 4);
        continue;
      }
      if (answer.ok() && !answer.body().has("items")) {
        return KubeAnswer.none("the answer is not a list");
      }
      count += items.get();
      token = continuation(answer);
      if (!answer.ok() || token.isEmpty() || count >= most) {
        return answer;
      }
      limit = limit == 0 ? 0 : Math.min(largest, limit * 2);
    }
  }

  /** Empty if the list is complete. */
  public static String continuation(KubeAnswer answer) {
    return answer.body().path("metadata").path("continue").asText("");
  }

  /** Opens a watch; its events arrive on other threads. */
  Transport.Stream watch(String path, Duration lasts, Transport.Events events) {
    ApiCall call = ApiCall.watch(path);
    interceptor.before(call);
    if (closed) {
      events.ended(closedAnswer(), Optional.empty());
      return Transport.Stream.NONE;
    }
    count(call.verb());
    CountedWatch watch = new CountedWatch(call, events);
    watches.add(watch);
    watch.opened(transport.watch(call, answerWithin, lasts, watch));
    return watch;
  }

  private static KubeAnswer closedAnswer() {
    return KubeAnswer.none("closed");
  }

  /** Ends all watches; later requests are not sent. */
  @Override
  public void close() {
    closed = true;
    watches.forEach(Transport.Stream::end);
    transport.close();
  }

  /** An open watch of this connection: the interceptor sees it, and it ends with the connection. */
  private final class CountedWatch implements Transport.Events, Transport.Stream {
    private final ApiCall call;
    private final Transport.Events events;
    private Transport.Stream stream = Transport.Stream.NONE;
    private boolean ended;

    CountedWatch(ApiCall call, Transport.Events events) {
      this.call = call;
      this.events = events;
    }

    synchronized void opened(Transport.Stream opened) {
      stream = opened;
      if (ended || closed) {
        stream.end();
      }
    }

    @Override
    public boolean event(JsonNode event) {
      return events.event(event);
    }

    @Override
    public void ended(KubeAnswer answer, Optional<String> broken) {
      watches.remove(this);
      interceptor.after(call, answer.code());
      events.ended(answer, broken);
    }

    @Override
    public synchronized void end() {
      ended = true;
      stream.end();
    }
  }
}
