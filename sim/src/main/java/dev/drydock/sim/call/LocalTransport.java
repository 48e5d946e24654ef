package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.Transport;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectChange;
import dev.drydock.sim.store.Store;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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
  private final String user;
  private final StreamIndex<LocalStream> streams = new StreamIndex<>();
  private final Consumer<ObjectChange> told = this::report;
  private volatile long toldUpTo;

  /**
   * @param watchDelay the delay between a change and its watch event
   * @param user the client; may be empty
   */
  public LocalTransport(
      ApiCalls calls, Store store, TimeSource time, Supplier<Duration> watchDelay, String user) {
    this.calls = calls;
    this.store = store;
    this.time = time;
    this.watchDelay = watchDelay;
    this.user = user;
    store.listen(told);
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

  private ApiRequest request(ApiCall call) {
    String type = call.contentType();
    String body = call.body();
    return new ApiRequest(
        call.verb().method(),
        URI.create(call.path()),
        header ->
            switch (header) {
              case "Content-Type" -> type == null ? "" : type;
              case "Impersonate-User" -> user;
              default -> "";
            },
        body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public Stream watch(ApiCall call, Duration answerWithin, Duration lasts, Events events) {
    LocalStream stream = new LocalStream(events);
    try {
      switch (calls.answer(request(call))) {
        case ApiResponse.Stream open -> stream.open(open.lines());
        case ApiResponse.Whole refused -> stream.end(answer(refused), Optional.empty());
        case ApiResponse.Word _ -> throw new IllegalArgumentException(call + " is not a watch");
      }
    } catch (CallInterceptor.ConnectionLost lost) {
      stream.end(KubeAnswer.none("no answer: connection lost"), Optional.empty());
    }
    return stream;
  }

  @Override
  public void close() {
    store.unlisten(told);
    streams.all().forEach(LocalStream::end);
  }

  private void report(ObjectChange event) {
    streams.concernedBy(event).forEach(stream -> stream.add(event));
    toldUpTo = event.version();
  }

  /** Receives the store's events and delivers them in order after the delay. */
  private final class LocalStream implements Stream, CallInterceptor.Lines {
    private static final KubeAnswer OPENED =
        new KubeAnswer(200, JsonTrees.object(), Optional.empty());

    private final Events events;
    // No lock, because the store calls with its own lock held, which look() takes as well.
    private final Queue<ObjectChange> untold = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean due = new AtomicBoolean();
    private ApiResponse.@Nullable Following following;
    private boolean begun;
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
      streams.add(opened.resource(), opened.exact(), this);
      lookSoon();
    }

    void add(ObjectChange event) {
      untold.add(event);
      lookSoon();
    }

    private void lookSoon() {
      if (!ended && due.compareAndSet(false, true)) {
        var _ = time.schedule(watchDelay.get(), this::look);
      }
    }

    private synchronized void look() {
      due.set(false);
      if (!sendNews()) {
        end(OPENED, Optional.empty());
      }
    }

    /** Returns false if no more events will come. */
    private boolean sendNews() {
      ApiResponse.Following open = following;
      if (ended || open == null) {
        return false;
      }
      try {
        if (!begun) {
          begun = true;
          if (!open.begin()) {
            return false;
          }
        }
        for (ObjectChange next = untold.poll(); next != null && !ended; next = untold.poll()) {
          open.send(next);
        }
        return open.isOpen();
      } catch (CallInterceptor.ConnectionLost | IOException lost) {
        end(OPENED, Optional.of("connection lost"));
        return false;
      }
    }

    @Override
    public void send(JsonNode line) {
      if (!ended && !events.event(line)) {
        end(OPENED, Optional.of("closed by the client"));
      }
    }

    private synchronized void patienceIsOver() {
      long version = toldUpTo;
      try {
        if (sendNews() && following != null) {
          following.end(version);
        }
        end(OPENED, Optional.empty());
      } catch (CallInterceptor.ConnectionLost | IOException lost) {
        end(OPENED, Optional.of("connection lost"));
      }
    }

    @Override
    public void end() {
      end(OPENED, Optional.of("closed by the client"));
    }

    private synchronized void end(KubeAnswer answer, Optional<String> broken) {
      if (!ended) {
        ended = true;
        patience.cancel();
        if (following != null) {
          streams.remove(following.resource(), following.exact(), this);
        }
        untold.clear();
        time.execute(() -> events.ended(answer, broken));
      }
    }
  }
}
