package dev.drydock.kube;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.ApiCall.Verb;
import dev.drydock.kube.time.TimeSource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

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
    interceptor.before(call);
    KubeAnswer answer = closedAnswer();
    if (!closed) {
      count(call.verb());
      answer = transport.send(call, within);
    }
    interceptor.after(call, answer.code());
    ControlLoop.progress();
    return answer;
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

  private KubeAnswer list(Source source, int page, int most, Consumer<JsonNode> objects) {
    String token = "";
    long count = 0;
    KubeAnswer answer;
    do {
      String more = token.isEmpty() ? "" : "&continue=" + ApiCall.encode(token);
      answer = send(ApiCall.list(source.with("limit=" + page + more)));
      answer.body().path("items").forEach(objects);
      count += answer.body().path("items").size();
      token = continuation(answer);
    } while (answer.ok() && !token.isEmpty() && count < most);
    return answer;
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
