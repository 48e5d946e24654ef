package dev.drydock.health.connector;

import dev.drydock.health.connector.decide.Credentials;
import dev.drydock.health.connector.decide.PublisherIdentity;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Kube;
import dev.drydock.serve.token.TokenReview;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The headers of a call: who calls, with which key, in which trace. */
public record CallHeaders(
    List<String> authorization,
    List<String> idempotencyKeys,
    Optional<String> spool,
    Optional<String> traceparent) {
  public static final Metadata.Key<String> AUTHORIZATION = key("authorization");
  public static final Metadata.Key<String> IDEMPOTENCY_KEY = key("idempotency-key");

  /** Sent by our own connectors, whose events carry their keys: the id of the spool. */
  public static final Metadata.Key<String> SPOOL = key("drydock-spool");

  private static final Metadata.Key<String> TRACEPARENT = key("traceparent");
  private static final String BEARER = "Bearer ";
  private static final String EXTRA = "authentication.kubernetes.io/";
  private static final Context.Key<CallHeaders> CURRENT = Context.key("headers");

  private static final CallHeaders NONE =
      new CallHeaders(List.of(), List.of(), Optional.empty(), Optional.empty());

  private static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  /** The headers of the call that this thread answers. */
  public static CallHeaders current() {
    CallHeaders headers = CURRENT.get();
    return headers == null ? NONE : headers;
  }

  static CallHeaders of(Metadata metadata) {
    return new CallHeaders(
        all(metadata, AUTHORIZATION),
        all(metadata, IDEMPOTENCY_KEY),
        Optional.ofNullable(metadata.get(SPOOL)),
        Optional.ofNullable(metadata.get(TRACEPARENT)));
  }

  private static List<String> all(Metadata metadata, Metadata.Key<String> key) {
    @Nullable Iterable<String> values = metadata.getAll(key);
    List<String> list = new ArrayList<>();
    if (values != null) {
      values.forEach(list::add);
    }
    return list;
  }

  /** The trace that the caller belongs to; a new one if it says none, or nothing readable. */
  public String trace() {
    return traceparent
        .filter(text -> text.matches("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}.*"))
        .map(text -> text.substring(3, 35))
        .filter(id -> !id.matches("0+"))
        .orElseGet(CallHeaders::newTrace);
  }

  /** So that annotations about traces always have a source. */
  private static String newTrace() {
    byte[] bytes = new byte[16];
    ThreadLocalRandom.current().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Asks the API server about the caller's token, if there is one. */
  public Credentials credentials(TokenCheck check) {
    if (authorization.isEmpty()) {
      return new Credentials.None();
    }
    String value = authorization.getFirst();
    if (authorization.size() > 1
        || !value.regionMatches(true, 0, BEARER, 0, BEARER.length())
        || value.substring(BEARER.length()).isBlank()) {
      return new Credentials.Malformed();
    }
    try {
      return check
          .authenticate(value.substring(BEARER.length()).strip())
          .<Credentials>map(user -> new Credentials.Verified(identity(user)))
          .orElseGet(Credentials.Invalid::new);
    } catch (ApiFailure failure) {
      return new Credentials.Unknown(outage(failure));
    }
  }

  private static Credentials.Outage outage(ApiFailure failure) {
    if (failure.code() == HttpURLConnection.HTTP_GATEWAY_TIMEOUT
        || failure.code() == HttpURLConnection.HTTP_CLIENT_TIMEOUT) {
      return Credentials.Outage.TIMEOUT;
    }
    return failure.isRetriable() ? Credentials.Outage.UNAVAILABLE : Credentials.Outage.ERROR;
  }

  private static PublisherIdentity identity(TokenReview.User user) {
    return new PublisherIdentity(user.name(), one(user, "pod-uid"), one(user, "node-name"));
  }

  private static Optional<String> one(TokenReview.User user, String key) {
    List<String> values = user.extra().getOrDefault(EXTRA + key, List.of());
    return values.size() == 1 ? Optional.of(values.getFirst()) : Optional.empty();
  }

  /** Finds out whose a token is. */
  @FunctionalInterface
  public interface TokenCheck {
    /**
     * Asks the API server, and keeps its answers for a while.
     *
     * @param perSecond how often it is asked; twice as often at once
     */
    static TokenCheck of(Kube kube, String audience, int perSecond) {
      return new TokenReview(
              kube,
              List.of(audience),
              new TokenReview.Limits(Duration.ofMinutes(2), 4096, perSecond, 2 * perSecond))
          ::authenticate;
    }

    /**
     * Empty if the token is refused.
     *
     * @throws ApiFailure if there is no verdict
     */
    Optional<TokenReview.User> authenticate(String token);
  }

  /** Keeps the headers of each call for {@link #current}. */
  public static final class Reader implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      Context context = Context.current().withValue(CURRENT, CallHeaders.of(headers));
      return Contexts.interceptCall(context, call, headers, next);
    }
  }
}
