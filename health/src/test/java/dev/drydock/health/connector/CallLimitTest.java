package dev.drydock.health.connector;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Empty;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.connector.decide.Refusal;
import dev.drydock.health.event.EventMessages;
import dev.drydock.health.wire.HealthEventProto;
import dev.drydock.health.wire.PlatformConnectorGrpc;
import dev.drydock.serve.socket.TcpChannels;
import dev.drydock.serve.socket.TcpServer;
import dev.drydock.testkit.Eventually;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
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
    return listen(new CallLimit.Bounds(MOST, MOST, 2 * MOST, patience, Duration.ofMinutes(5)));
  }

  private TcpServer listen(CallLimit.Bounds bounds) throws IOException {
    return TcpServer.listen(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        Optional.empty(),
        new TcpServer.Limits(
            1 << 20, Duration.ofMinutes(10), Duration.ofMinutes(5), Duration.ofSeconds(1)),
        List.of(
            EventService.of(
                this::handle, meters, new CallLimit(CallLimitTest::admission, bounds))));
  }

  private static CallLimit.Admission admission(CallHeaders headers) {
    return headers.idempotencyKeys().contains("stranger")
        ? new CallLimit.Admission.Refused(
            new Refusal(Refusal.Kind.PERMISSION_DENIED, "identity_not_allowed", "no"))
        : new CallLimit.Admission.Admitted(
            headers.idempotencyKeys().stream().filter(key -> !key.equals("k")).findFirst());
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

  /** A call whose message never comes, and what it is answered. */
  private static CompletableFuture<Status> silentCall(ManagedChannel channel) {
    CompletableFuture<Status> answer = new CompletableFuture<>();
    ClientCall<HealthEventProto.HealthEvents, Empty> call =
        channel.newCall(
            PlatformConnectorGrpc.getHealthEventOccurredV1Method(), CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            answer.complete(status);
          }
        },
        new Metadata());
    call.request(1);
    return answer;
  }

  @Test
  void whoDoesNotSendItsMessageInTimeLosesItsPlace() throws Exception {
    go.countDown();
    try (TcpServer server =
        listen(
            new CallLimit.Bounds(
                2 * MOST, MOST, MOST, Duration.ofMinutes(5), Duration.ofMillis(50)))) {
      ManagedChannel channel = TcpChannels.channel("127.0.0.1:" + server.port(), Optional.empty());
      List<CompletableFuture<Status>> silent = new ArrayList<>();
      for (int i = 0; i < 4 * MOST; i++) {
        silent.add(silentCall(channel));
      }

      assertThat(call(channel, "k").isOk()).as("behind all of them").isTrue();
      for (CompletableFuture<Status> each : silent) {
        Status status = each.get(1, TimeUnit.MINUTES);
        assertThat(status.getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
        assertThat(status.getDescription()).contains("the message did not come within");
      }
      channel.shutdownNow();
    }
  }

  @Test
  void smallMessagesThatAreThereLeaveRoomForThoseThatAreNot() throws Exception {
    try (TcpServer server =
        listen(
            new CallLimit.Bounds(
                2 * MOST, 1, 2 * MOST, Duration.ofMinutes(5), Duration.ofMinutes(5)))) {
      ManagedChannel channel = TcpChannels.channel("127.0.0.1:" + server.port(), Optional.empty());
      List<Thread> callers = new ArrayList<>();
      for (int i = 0; i < 2 * MOST; i++) {
        callers.add(Thread.ofVirtual().start(() -> call(channel, "k")));
      }

      Eventually.inRealTime().until(() -> handling.get() == 2 * MOST);
      go.countDown();
      for (Thread caller : callers) {
        caller.join();
      }
      channel.shutdownNow();
    }
  }

  @Test
  void oneCallerCannotTakeThePlacesOfAll() throws Exception {
    try (TcpServer server =
        listen(
            new CallLimit.Bounds(
                2 * MOST, 2 * MOST, MOST, Duration.ofMinutes(5), Duration.ofMinutes(5)))) {
      ManagedChannel channel = TcpChannels.channel("127.0.0.1:" + server.port(), Optional.empty());
      List<Thread> callers = new ArrayList<>();
      for (int i = 0; i < MOST; i++) {
        callers.add(Thread.ofVirtual().start(() -> call(channel, "greedy")));
      }
      Eventually.inRealTime().until(() -> handling.get() == MOST);

      Status refused = call(channel, "greedy");
      assertThat(refused.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      assertThat(refused.getDescription()).isEqualTo("3 calls of this caller are in progress");
      callers.add(Thread.ofVirtual().start(() -> call(channel, "other")));
      Eventually.inRealTime().until(() -> handling.get() == MOST + 1);

      go.countDown();
      for (Thread caller : callers) {
        caller.join();
      }
      assertThat(call(channel, "greedy").isOk()).as("when they have ended").isTrue();
      channel.shutdownNow();
    }
  }
}
