package dev.drydock.health.connector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.connector.decide.Refusal;
import dev.drydock.health.event.EventMessages;
import dev.drydock.health.wire.PlatformConnectorGrpc;
import dev.drydock.serve.socket.TcpChannels;
import dev.drydock.serve.socket.TcpServer;
import dev.drydock.testkit.Eventually;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** More callers than there is room for. */
class CallLimitTest {
  private static final int MOST = 3;

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final AtomicInteger handling = new AtomicInteger();
  private final AtomicInteger mostHandling = new AtomicInteger();
  private final CountDownLatch go = new CountDownLatch(1);

  private void handle(List<HealthEvent> batch, CallHeaders headers) {
    mostHandling.accumulateAndGet(handling.incrementAndGet(), Math::max);
    try {
      go.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      handling.decrementAndGet();
    }
  }

  private TcpServer listen(Duration patience) throws IOException {
    return TcpServer.listen(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        Optional.empty(),
        new TcpServer.Limits(
            1 << 20, Duration.ofMinutes(10), Duration.ofMinutes(5), Duration.ofSeconds(1)),
        List.of(
            EventService.of(
                this::handle, meters, new CallLimit(CallLimitTest::admission, MOST, patience))));
  }

  private static Optional<Refusal> admission(CallHeaders headers) {
    return headers.idempotencyKeys().contains("stranger")
        ? Optional.of(new Refusal(Refusal.Kind.PERMISSION_DENIED, "identity_not_allowed", "no"))
        : Optional.empty();
  }

  private static Status call(ManagedChannel channel, String key) {
    Metadata headers = new Metadata();
    headers.put(CallHeaders.IDEMPOTENCY_KEY, key);
    try {
      var _ =
          PlatformConnectorGrpc.newBlockingStub(channel)
              .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
              .healthEventOccurredV1(EventMessages.batch(List.of(HealthEvent.EMPTY)));
      return Status.OK;
    } catch (StatusRuntimeException refused) {
      return refused.getStatus();
    }
  }

  @Test
  void theOthersWaitAndAllAreAnswered() throws Exception {
    try (TcpServer server = listen(Duration.ofMinutes(5))) {
      ManagedChannel channel = TcpChannels.channel("127.0.0.1:" + server.port(), Optional.empty());
      Semaphore answered = new Semaphore(0);
      List<Thread> callers = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        callers.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      if (call(channel, "k").isOk()) {
                        answered.release();
                      }
                    }));
      }
      Eventually.inRealTime().until(() -> handling.get() == MOST);
      assertThat(call(channel, "stranger").getCode())
          .as("refused at once, whoever waits")
          .isEqualTo(Status.Code.PERMISSION_DENIED);

      go.countDown();
      for (Thread caller : callers) {
        caller.join();
      }

      assertThat(answered.availablePermits()).isEqualTo(20);
      assertThat(mostHandling).hasValue(MOST);
      channel.shutdownNow();
    }
  }

  @Test
  void whoWaitsTooLongIsToldToTryAgain() throws Exception {
    try (TcpServer server = listen(Duration.ofMillis(10))) {
      ManagedChannel channel = TcpChannels.channel("127.0.0.1:" + server.port(), Optional.empty());
      List<Thread> callers = new ArrayList<>();
      for (int i = 0; i < MOST; i++) {
        callers.add(Thread.ofVirtual().start(() -> call(channel, "k")));
      }
      Eventually.inRealTime().until(() -> handling.get() == MOST);

      assertThat(call(channel, "k").getCode()).isEqualTo(Status.Code.UNAVAILABLE);

      go.countDown();
      for (Thread caller : callers) {
        caller.join(); // whoever is answered has made room
      }
      assertThat(call(channel, "k").isOk()).isTrue();
      channel.shutdownNow();
    }
  }
}
