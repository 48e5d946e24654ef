package dev.drydock.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.time.TimeSource;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leader election: only the process that holds the Lease is active. As in Kubernetes' own
 * components, a Lease is free when this process has seen no change of it for the time that it
 * lasts, measured by this machine's timer: neither wrong clocks nor missing times matter. A leader
 * that cannot renew it stops before it is free for others. Closing releases the Lease, so that the
 * next process does not have to wait until it expires.
 */
public final class Election implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Election.class);
  private static final DateTimeFormatter MICRO_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
  private static final Duration SHORTEST_WAIT = Duration.ofSeconds(1);
  private static final int RELEASE_ATTEMPTS = 3;

  private final KubeHttp http;
  private final TimeSource time;
  private final LeaseSettings settings;
  private final Runnable lead;
  private final Runnable follow;
  private final ControlLoop renewal;
  private final ControlLoop leading;

  /** The Lease as it was last seen, and since when it has not changed, in elapsed time. */
  private @Nullable ApiObject seen;

  private Duration unchangedSince = Duration.ZERO;
  private Duration renewed = Duration.ZERO;
  private Duration notBefore = Duration.ZERO;
  private TimeSource.Timer expiry = TimeSource.Timer.NONE;
  private final Map<String, Optional<String>> annotations = new HashMap<>();
  private String knownLeader = "";
  private State state = State.STANDING_BY;
  private volatile Optional<String> problem = Optional.empty();

  private enum State {
    STANDING_BY,
    /** Holds the Lease; the leading code runs, or is about to. */
    LEADING,
    /** The leading code is being stopped; the Lease is not asked for before it has. */
    STOPPING,
    CLOSED
  }

  /**
   * The Lease, the candidate's identity, and the times, by the names of Kubernetes' own components.
   *
   * @param identity of this process among the candidates
   * @param leaseDuration a Lease that was not renewed for this long is free
   * @param retryPeriod how often it is renewed, or asked for
   */
  public record LeaseSettings(
      String namespace,
      String lease,
      String identity,
      Duration leaseDuration,
      Duration retryPeriod) {
    /** How long the Lease of a controller lasts in Kubernetes. */
    private static final Duration CONTROLLERS = Duration.ofSeconds(15);

    /** The times of Kubernetes' controllers. */
    public static LeaseSettings ofController(String namespace, String lease, String identity) {
      return ofController(namespace, lease, identity, CONTROLLERS);
    }

    /** In the proportion of Kubernetes' controllers: every 2 s of 15 s. */
    public static LeaseSettings ofController(
        String namespace, String lease, String identity, Duration leaseDuration) {
      Duration retryPeriod = leaseDuration.multipliedBy(2).dividedBy(15);
      return new LeaseSettings(namespace, lease, identity, leaseDuration, retryPeriod);
    }

    /** The times of kubelets. */
    public static LeaseSettings ofNode(String namespace, String lease, String identity) {
      return new LeaseSettings(
          namespace, lease, identity, Duration.ofSeconds(40), Duration.ofSeconds(10));
    }

    /** A leader that has not renewed its Lease for this long stops. */
    Duration renewDeadline() {
      return leaseDuration.multipliedBy(2).dividedBy(3);
    }
  }

  /**
   * @param lead called when this process acquires the Lease; if it throws, this process stops
   *     leading and releases the Lease
   * @param follow called when it leads no longer, also if {@code lead} has not returned yet
   */
  public Election(Kube kube, LeaseSettings settings, Runnable lead, Runnable follow) {
    http = kube.http();
    time = kube.time();
    this.settings = settings;
    this.lead = lead;
    this.follow = follow;
    renewal = kube.loop("election", settings.lease(), this::renew);
    leading = kube.loop("leader", settings.lease(), this::begin);
  }

  /** Takes part in the election until closed. */
  public void start() {
    renewal.wake();
  }

  /**
   * Says something about the leader on its Lease, as an annotation.
   *
   * @param value null removes it
   */
  public void annotate(String key, @Nullable String value) {
    synchronized (this) {
      annotations.put(key, Optional.ofNullable(value));
    }
    renewal.wake();
  }

  private Instant renew() {
    try {
      Duration asked = time.elapsed();
      Optional<ApiObject> lease = mayAsk() ? current() : Optional.empty();
      if (lease.isPresent()) {
        note(lease.get());
        if (isMine(lease.get())) {
          written(write(lease.get()), asked);
        }
      }
      problem = Optional.empty();
    } catch (ApiFailure failure) {
      problem = Optional.of(failure.getMessage());
      throw failure;
    }
    return time.now().plus(settings.retryPeriod());
  }

  private synchronized boolean mayAsk() {
    return switch (state) {
      case STANDING_BY -> time.elapsed().compareTo(notBefore) >= 0;
      case LEADING -> true;
      case STOPPING, CLOSED -> false;
    };
  }

  /**
   * The Lease; it is created if there is none. Absent if that is left to another candidate: whoever
   * held a Lease that was deleted still leads, and makes it again.
   */
  private Optional<ApiObject> current() {
    KubeAnswer answer =
        send(ApiCall.get(Resource.LEASES.path(settings.namespace(), settings.lease())));
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      if (isLeftToItsHolder()) {
        return Optional.empty();
      }
      ObjectNode lease = Resource.LEASES.manifest(settings.namespace(), settings.lease());
      answer =
          send(ApiCall.create(Resource.LEASES.collection(settings.namespace()), lease.toString()));
      if (answer.code() == HttpURLConnection.HTTP_CONFLICT) {
        return Optional.empty(); // another candidate was faster
      }
      if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
        throw ApiFailure.noNamespace(settings.namespace());
      }
    }
    return Optional.of(ApiObject.of(answer.orThrow("Lease " + settings.lease())));
  }

  private synchronized boolean isLeftToItsHolder() {
    return seen != null
        && !LeaseRecord.of(seen)
            .isFreeFor(
                settings.identity(),
                time.elapsed().minus(unchangedSince),
                settings.leaseDuration());
  }

  /** No request outlasts the time in which the Lease has to be renewed. */
  private KubeAnswer send(ApiCall call) {
    Duration left;
    synchronized (this) {
      left =
          state == State.LEADING
              ? renewed.plus(settings.renewDeadline()).minus(time.elapsed())
              : settings.renewDeadline();
    }
    return http.send(call, left.compareTo(SHORTEST_WAIT) > 0 ? left : SHORTEST_WAIT);
  }

  private synchronized void note(ApiObject lease) {
    boolean changed =
        seen == null || !seen.uid().equals(lease.uid()) || !seen.spec().equals(lease.spec());
    if (changed) {
      unchangedSince = time.elapsed();
    }
    seen = lease;
    String holder = LeaseRecord.of(lease).holder();
    if (!holder.isEmpty() && !holder.equals(knownLeader)) {
      LOG.info("the leader is {}", holder);
    }
    knownLeader = holder;
    if (state == State.LEADING && !holder.isEmpty() && !holder.equals(settings.identity())) {
      lose(holder + " holds the Lease");
    }
  }

  private synchronized boolean isMine(ApiObject lease) {
    return switch (state) {
      case LEADING -> true;
      case STANDING_BY ->
          LeaseRecord.of(lease)
              .isFreeFor(
                  settings.identity(),
                  time.elapsed().minus(unchangedSince),
                  settings.leaseDuration());
      case STOPPING, CLOSED -> false;
    };
  }

  private ApiObject write(ApiObject lease) {
    LeaseRecord record = LeaseRecord.of(lease);
    boolean mine = record.isHeldBy(settings.identity());
    String now = MICRO_TIME.format(time.now());
    Patch patch = Patch.ifUnchanged(Resource.LEASES, lease);
    synchronized (this) {
      annotations.forEach((key, value) -> patch.annotation(key, value.orElse(null)));
    }
    ApiCall call =
        patch
            .spec(
                spec -> {
                  spec.put("holderIdentity", settings.identity())
                      .put("leaseDurationSeconds", settings.leaseDuration().toSeconds())
                      .put("renewTime", now);
                  if (!mine) {
                    spec.put("acquireTime", now).put("leaseTransitions", record.nextTransition());
                  }
                })
            .call();
    return ApiObject.of(send(call).orThrow("Lease " + settings.lease()));
  }

  /**
   * We hold the Lease now.
   *
   * @param asked when the request was sent: the others may count from there
   */
  private void written(ApiObject lease, Duration asked) {
    boolean closed;
    synchronized (this) {
      seen = lease;
      unchangedSince = time.elapsed();
      renewed = asked;
      closed = state == State.CLOSED;
      if (state == State.STANDING_BY) {
        LOG.info("acquired Lease {}", settings.lease());
        state = State.LEADING;
        leading.wake();
      }
      expiry.cancel();
      if (state == State.LEADING) {
        expiry = time.schedule(settings.renewDeadline(), this::expire);
      }
    }
    if (closed) {
      release();
    }
  }

  private synchronized void expire() {
    Duration left = renewed.plus(settings.renewDeadline()).minus(time.elapsed());
    if (state != State.LEADING) {
      return;
    }
    if (left.isPositive()) {
      expiry = time.schedule(left, this::expire);
    } else {
      lose("it could not be renewed for " + settings.renewDeadline().toSeconds() + " s");
    }
  }

  private synchronized void lose(String why) {
    if (state == State.LEADING) {
      LOG.warn("lost Lease {}: {}", settings.lease(), why);
      state = State.STOPPING;
      expiry.cancel();
      time.execute(this::stop);
    }
  }

  /** Beside the leading code, which may be what hangs. */
  private void stop() {
    try {
      follow.run();
    } finally {
      synchronized (this) {
        if (state == State.STOPPING) {
          state = State.STANDING_BY;
        }
      }
    }
  }

  /** The leading code, in a loop of its own so that its failures are logged, counted and shown. */
  private Instant begin() {
    synchronized (this) {
      if (state != State.LEADING) {
        return Instant.MAX;
      }
    }
    boolean begun = false;
    try {
      lead.run();
      begun = true;
    } finally {
      if (!begun) {
        giveUp();
      }
    }
    return Instant.MAX;
  }

  /** Others may do better; this process asks again when they had the time to. */
  private void giveUp() {
    synchronized (this) {
      if (state != State.LEADING) {
        return;
      }
      LOG.error("what the leader does could not begin: the Lease is released");
      state = State.STOPPING;
      expiry.cancel();
      notBefore = time.elapsed().plus(settings.leaseDuration());
    }
    stop();
    release();
  }

  /** Why this process cannot take part in the election at present, if so. */
  public Optional<String> problem() {
    return problem;
  }

  /** The leading code stops before the Lease is released. */
  @Override
  public void close() {
    boolean held;
    synchronized (this) {
      held = state == State.LEADING;
      state = State.CLOSED;
      expiry.cancel();
    }
    renewal.close();
    leading.close();
    follow.run();
    if (held) {
      release();
    }
  }

  private void release() {
    for (int i = 0; i < RELEASE_ATTEMPTS; i++) {
      KubeAnswer answer =
          http.send(
              ApiCall.get(Resource.LEASES.path(settings.namespace(), settings.lease())),
              settings.retryPeriod());
      ApiObject lease = ApiObject.of(answer.body());
      if (!answer.ok() || !LeaseRecord.of(lease).isHeldBy(settings.identity())) {
        LOG.info("did not hold the Lease");
        return;
      }
      ApiCall call =
          Patch.ifUnchanged(Resource.LEASES, lease)
              .spec(spec -> spec.put("holderIdentity", "").put("leaseDurationSeconds", 1))
              .call();
      if (http.send(call, settings.retryPeriod()).ok()) {
        LOG.info("released the Lease");
        return;
      }
    }
    LOG.warn("could not release the Lease; it expires by itself");
  }
}
