package dev.drydock.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimiterTest {
  private final AtomicLong nanos = new AtomicLong(5);

  @Test
  void asManyAsTheBurstPassAtOnceAndTheNextOnesOneByOne() {
    RateLimiter limit = limit(10, 3);

    assertThat(reserve(limit, 3)).containsOnly(0L);
    assertThat(limit.reserve()).isEqualTo(Duration.ofMillis(100).toNanos());
    assertThat(limit.reserve()).isEqualTo(Duration.ofMillis(200).toNanos());
  }

  @Test
  void timeGivesPlacesBackButNoMoreThanTheBurst() {
    RateLimiter limit = limit(10, 3);
    reserve(limit, 3);

    nanos.addAndGet(Duration.ofMillis(150).toNanos());
    assertThat(limit.reserve()).isZero();
    assertThat(limit.reserve()).isEqualTo(Duration.ofMillis(50).toNanos());

    nanos.addAndGet(Duration.ofHours(1).toNanos());
    assertThat(reserve(limit, 3)).containsOnly(0L);
    assertThat(limit.reserve()).isEqualTo(Duration.ofMillis(100).toNanos());
  }

  @Test
  void fewerThanOneInASecondIsARateToo() {
    RateLimiter limit = limit(0.5, 1);
    reserve(limit, 1);

    assertThat(limit.reserve()).isEqualTo(Duration.ofSeconds(2).toNanos());
  }

  @Test
  void whoDoesNotWantToWaitForSoLongTakesNothing() throws InterruptedException {
    RateLimiter limit = limit(0.1, 2);

    assertThat(limit.acquire(Duration.ZERO)).isTrue();
    assertThat(limit.acquire(Duration.ZERO)).isTrue();
    assertThat(limit.acquire(Duration.ofSeconds(9))).isFalse();
    assertThat(limit.reserve()).isEqualTo(Duration.ofSeconds(10).toNanos());
  }

  /** However many evictions wait: they take nothing before there is something to take. */
  @Test
  void releasesDoNotQueueBehindEvictions() {
    RateLimiter limit = limit(10, 3);
    reserve(limit, 3);

    for (int i = 0; i < 1000; i++) {
      assertThat(limit.tryRemoval()).isEqualTo(Duration.ofMillis(100).toNanos());
    }
    assertThat(limit.reserve()).as("a release").isEqualTo(Duration.ofMillis(100).toNanos());
    assertThat(limit.tryRemoval()).as("after it").isEqualTo(Duration.ofMillis(200).toNanos());

    nanos.addAndGet(Duration.ofMillis(200).toNanos());
    assertThat(limit.tryRemoval()).isZero();
    assertThat(limit.tryRemoval()).isPositive();
  }

  @Test
  void theNextHookSeesEveryCall() {
    List<String> seen = new ArrayList<>();
    RequestInterceptor next =
        new RequestInterceptor() {
          @Override
          public void before(ApiCall call) {
            seen.add("before " + call.path());
          }

          @Override
          public void after(ApiCall call, int code) {
            seen.add("after " + call.path() + " " + code);
          }
        };
    RateLimiter limit = new RateLimiter(1000, 1, next);

    limit.before(ApiCall.get("/a"));
    limit.before(ApiCall.get("/b")); // waits for a millisecond
    limit.after(ApiCall.get("/b"), 200);

    assertThat(seen).containsExactly("before /a", "before /b", "after /b 200");
  }

  private RateLimiter limit(double perSecond, int burst) {
    return new RateLimiter(perSecond, burst, RequestInterceptor.NONE, nanos::get);
  }

  private static List<Long> reserve(RateLimiter limit, int times) {
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      waits.add(limit.reserve());
    }
    return waits;
  }
}
