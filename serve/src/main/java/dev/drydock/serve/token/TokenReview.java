package dev.drydock.serve.token;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.Sha256;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.kube.RateLimiter;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Resource;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Authenticates bearer tokens with the API server's TokenReview. Answers are cached for a short
 * time, so that a revoked token is soon refused. Thread-safe.
 */
public final class TokenReview {
  private static final Resource REVIEWS =
      Resource.cluster("authentication.k8s.io", "v1", "tokenreviews", "TokenReview");

  private static final Duration REMEMBERED = Duration.ofSeconds(10);

  /** How long a caller waits until it may ask. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** The API server's own limit of a header; longer values are not tokens. */
  private static final int LONGEST_TOKEN = 16 * 1024;

  private static final String NODE_NAME = "authentication.kubernetes.io/node-name";

  private final Kube kube;
  private final List<String> audiences;
  private final Limits limits;

  /** For tokens that are not known. Anybody can make any number of them, so they have their own. */
  private final RateLimiter first;

  /** For tokens that were good when they were asked about last. */
  private final RateLimiter renewals;

  /** Of good tokens, and those that were good until they have been asked about again. */
  private final Map<String, Answer> good = new LinkedHashMap<>();

  /** Apart from the good ones, which they must not push out. */
  private final Map<String, Answer> bad = new LinkedHashMap<>();

  /** Questions under way: callers with the same token wait for one answer. */
  private final Map<String, FutureTask<Optional<User>>> asking = new ConcurrentHashMap<>();

  /**
   * What is remembered, and how much is asked.
   *
   * @param goodFor how long a token counts as valid after it was found to be
   * @param mostRemembered how many answers are kept, good and bad ones each
   * @param perSecond how many questions the API server is asked, about new tokens and about those
   *     that were good each
   * @param burst how many at once
   */
  public record Limits(Duration goodFor, int mostRemembered, double perSecond, int burst) {
    /** Answers are kept about as long as the API server keeps its own. */
    public static final Limits SHORT = new Limits(REMEMBERED, 1000, 50, 100);
  }

  private record Answer(Optional<User> user, Instant until) {}

  /**
   * Who made a request.
   *
   * @param extra what else the API server knows, by key
   */
  public record User(
      String name, String uid, List<String> groups, Map<String, List<String>> extra) {
    /** The node that the token's pod runs on, for tokens that are bound to a pod. */
    public Optional<String> node() {
      return extra.getOrDefault(NODE_NAME, List.of()).stream().findFirst();
    }
  }

  /**
   * @param audiences audiences accepted, any of them; empty for the API server's own
   */
  public TokenReview(Kube kube, List<String> audiences) {
    this(kube, audiences, Limits.SHORT);
  }

  public TokenReview(Kube kube, List<String> audiences, Limits limits) {
    this.kube = kube;
    this.audiences = List.copyOf(audiences);
    this.limits = limits;
    first = limiter(limits);
    renewals = limiter(limits);
  }

  private static RateLimiter limiter(Limits limits) {
    return new RateLimiter(limits.perSecond(), limits.burst(), RequestInterceptor.NONE);
  }

  /**
   * Empty for a token that is not valid, or for another audience.
   *
   * @throws ApiFailure if it cannot be found out at present
   */
  public Optional<User> authenticate(String token) {
    if (token.isEmpty() || token.length() > LONGEST_TOKEN) {
      return Optional.empty();
    }
    String key = Sha256.hex(token); // tokens themselves are not kept in memory
    Optional<Answer> known = remembered(key);
    if (known.isPresent()) {
      return known.get().user();
    }
    return askOnce(key, token);
  }

  private Optional<User> askOnce(String key, String token) {
    FutureTask<Optional<User>> mine =
        new FutureTask<>(
            () -> {
              awaitTurn(wasGood(key) ? renewals : first);
              Optional<User> user = ask(token);
              remember(key, user);
              return user;
            });
    FutureTask<Optional<User>> others = asking.putIfAbsent(key, mine);
    if (others == null) {
      mine.run();
      asking.remove(key, mine);
    }
    try {
      return (others == null ? mine : others).get();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof ApiFailure failure) {
        throw new ApiFailure(failure.code(), String.valueOf(failure.getMessage()));
      }
      if (failed.getCause() instanceof Error fatal) {
        throw fatal;
      }
      throw new IllegalStateException(failed.getCause());
    } catch (InterruptedException stopped) {
      throw interrupted();
    }
  }

  private static ApiFailure interrupted() {
    Thread.currentThread().interrupt();
    return new ApiFailure(0, "a token cannot be checked: interrupted");
  }

  private static void awaitTurn(RateLimiter rate) {
    try {
      if (!rate.acquire(PATIENCE)) {
        throw new ApiFailure(
            HttpURLConnection.HTTP_GATEWAY_TIMEOUT,
            "a token cannot be checked: too many tokens are to be checked now");
      }
    } catch (InterruptedException stopped) {
      throw interrupted();
    }
  }

  private synchronized Optional<Answer> remembered(String key) {
    return Optional.ofNullable(good.getOrDefault(key, bad.get(key)))
        .filter(answer -> kube.clock().instant().isBefore(answer.until()));
  }

  private synchronized boolean wasGood(String key) {
    return good.containsKey(key);
  }

  /** The oldest goes first. */
  private synchronized void remember(String key, Optional<User> user) {
    good.remove(key);
    bad.remove(key);
    Map<String, Answer> answers = user.isPresent() ? good : bad;
    Duration kept = user.isPresent() ? limits.goodFor() : REMEMBERED;
    answers.put(key, new Answer(user, kube.clock().instant().plus(kept)));
    if (answers.size() > limits.mostRemembered()) {
      answers.remove(answers.keySet().iterator().next());
    }
  }

  private Optional<User> ask(String token) {
    ObjectNode review =
        Json.object().put("apiVersion", REVIEWS.apiVersion()).put("kind", REVIEWS.kind());
    ObjectNode spec = review.putObject("spec").put("token", token);
    ArrayNode wanted = spec.putArray("audiences");
    audiences.forEach(wanted::add);
    JsonNode status =
        kube.http()
            .send(ApiCall.create(REVIEWS.collection(""), review.toString()))
            .orThrow("a token cannot be checked")
            .path("status");
    return status.path("authenticated").asBoolean(false) && isMeantForUs(status)
        ? Optional.of(user(status.path("user")))
        : Optional.empty();
  }

  /** An authenticator without audience support returns none; such tokens are refused. */
  private boolean isMeantForUs(JsonNode status) {
    return audiences.isEmpty()
        || Fields.list(status.path("audiences")).stream().anyMatch(audiences::contains);
  }

  private static User user(JsonNode user) {
    Map<String, List<String>> extra = new HashMap<>();
    user.path("extra")
        .properties()
        .forEach(entry -> extra.put(entry.getKey(), Fields.list(entry.getValue())));
    return new User(
        text(user, "username"),
        text(user, "uid"),
        Fields.list(user.path("groups")),
        Map.copyOf(extra));
  }
}
