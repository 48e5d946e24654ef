package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.Transport;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.Store;
import dev.drydock.sim.store.StoredEvent;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A transport inside the process, for clients that run in the cluster's time: requests are answered
 * on the caller's thread, and watches deliver events after a delay. Bodies are shared with the
 * store and must not be modified.
 */
public final class LocalTransport implements Transport {
  private final ApiCalls calls;
  private final Store store;
  private final TimeSource time;
  private final Supplier<Duration> watchDelay;
  private final Set<LocalStream> streams = ConcurrentHashMap.newKeySet();

  /**
   * @param watchDelay how long after a change a watch delivers it
   */
  public LocalTransport(
      ApiCalls calls, Store store, TimeSource time, Supplier<Duration> watchDelay) {
    this.calls = calls;
    this.store = store;
    this.time = time;
    this.watchDelay = watchDelay;
  }

  @Override
  public KubeAnswer send(ApiCall call, Duration answerWithin) {
    try {
      return switch (calls.answer(request(call))) {
        case ApiResponse.Whole whole -> answer(whole);
        case ApiResponse.Word word ->
            new KubeAnswer(
                word.code(), JsonTrees.object().put("message", word.text()), Optional.empty());
        case ApiResponse.Stream _ -> throw new IllegalArgumentException(call + " is a watch");
      };
    } catch (CallInterceptor.ConnectionLost lost) {
      return KubeAnswer.none("no answer: connection lost");
    }
  }

  private static KubeAnswer answer(ApiResponse.Whole whole) {
    return new KubeAnswer(
        whole.code(),
        whole.body(),
        whole.retryAfterSeconds() > 0
            ? Optional.of(Duration.ofSeconds(whole.retryAfterSeconds()))
            : Optional.empty());
  }

  private static ApiRequest request(ApiCall call) {
    String type = call.contentType();
    String body = call.body();
    return new ApiRequest(
        call.verb().method(),
        URI.create(call.path()),
        header -> header.equals("Content-Type") && type != null ? type : "",
        body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public Stream watch(ApiCall call, Duration answerWithin, Duration lasts, Events events) {
    LocalStream stream = new LocalStream(events);
    try {
      switch (calls.answer(request(call))) {
        case ApiResponse.Stream open -> stream.open(open.lines());
        case ApiResponse.Whole refused -> stream.end(answer(refused), Optional.empty());
        case ApiResponse.Word _ -> throw new IllegalArgumentException(call + " is no watch");
      }
    } catch (CallInterceptor.ConnectionLost lost) {
      stream.end(KubeAnswer.none("no answer: connection lost"), Optional.empty());
    }
    return stream;
  }

  @Override
  public void close() {
    streams.forEach(LocalStream::end);
  }

  /** Shortly after a change, reads the new events and delivers them in order. */
  private final class LocalStream implements Stream, CallInterceptor.Lines, Consumer<StoredEvent> {
    private static final KubeAnswer OPENED =
        new KubeAnswer(200, JsonTrees.object(), Optional.empty());

    private final Events events;
    // Takes no lock in the store's callback: the store holds its own lock then, which reading
    // events also takes.
    private final AtomicBoolean due = new AtomicBoolean();
    private volatile ApiResponse.@Nullable Following following;
    private volatile boolean ended;
    private TimeSource.Timer patience = TimeSource.Timer.NONE;

    LocalStream(Events events) {
      this.events = events;
    }

    void open(ApiResponse.Lines lines) {
      ApiResponse.Following opened = lines.follow(this);
      synchronized (this) {
        following = opened;
        patience = time.schedule(opened.patience(), this::patienceIsOver);
      }
      streams.add(this);
      store.listen(this);
      lookSoon();
    }

    @Override
    public void accept(StoredEvent event) {
      ApiResponse.Following open = following;
      if (open != null && event.resource().equals(open.resource())) {
        lookSoon();
      }
    }

    private void lookSoon() {
      if (!ended && due.compareAndSet(false, true)) {
        var _ = time.schedule(watchDelay.get(), this::look);
      }
    }

    private synchronized void look() {
      ApiResponse.Following open = following;
      due.set(false);
      if (ended || open == null) {
        return;
      }
      try {
        if (!open.sendNews()) {
          end(OPENED, Optional.empty());
        }
      } catch (CallInterceptor.ConnectionLost | IOException lost) {
        end(OPENED, Optional.of("connection lost"));
      }
    }

    @Override
    public void send(JsonNode line) {
      if (!ended && !events.event(line)) {
        end(OPENED, Optional.of("closed by the client"));
      }
    }

    private synchronized void patienceIsOver() {
      end(OPENED, Optional.empty());
    }

    @Override
    public void end() {
      end(OPENED, Optional.of("closed by the client"));
    }

    private synchronized void end(KubeAnswer answer, Optional<String> broken) {
      if (!ended) {
        ended = true;
        patience.cancel();
        store.unlisten(this);
        streams.remove(this);
        time.execute(() -> events.ended(answer, broken));
      }
    }
  }
}
