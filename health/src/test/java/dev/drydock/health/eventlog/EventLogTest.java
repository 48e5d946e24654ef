package dev.drydock.health.eventlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Timestamp;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.health.connector.FakeApi;
import dev.drydock.health.decide.TestEvents;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.StatusUpdate;
import dev.drydock.health.store.embedded.EmbeddedStore;
import dev.drydock.health.wire.EventLogGrpc;
import dev.drydock.health.wire.EventLogProto;
import dev.drydock.kube.Kube;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.socket.TcpChannels;
import dev.drydock.serve.socket.TcpServer;
import dev.drydock.testbed.CommandOutcome;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.LoopBug;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What {@code drydock events} gets from a running operator. */
class EventLogTest {
  @TempDir private Path folder;
  private Kube kube;
  private EmbeddedStore store;
  private TcpServer server;

  @BeforeEach
  void start() throws IOException {
    kube = new FakeApi().kube();
    store = EmbeddedStore.open(folder, TimeSource.REAL);
    server = listen(store);
  }

  private TcpServer listen(EventStore from) throws IOException {
    return TcpServer.listen(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        Optional.empty(),
        new TcpServer.Limits(
            1 << 20, Duration.ofMinutes(10), Duration.ofMinutes(5), Duration.ofMillis(1)),
        List.of(EventLogService.of(kube, from)));
  }

  @AfterEach
  void stop() {
    server.close();
    store.close();
    kube.close();
  }

  private String address() {
    return "127.0.0.1:" + server.port();
  }

  private String send(String node) {
    HealthEvent event = TestEvents.unhealthy("").nodeName(node).build();
    return store.append(List.of(event)).ids().getFirst();
  }

  @Test
  void storedEventsAreShownInEveryFormat() {
    send("node-1");
    send("node-2");

    assertThat(CommandOutcome.run("events", "--address", address()).out())
        .contains("NODE", "node-1", "node-2", "RESTART_VM");
    assertThat(CommandOutcome.run("events", "--address", address(), "--node", "node-2").out())
        .contains("node-2")
        .doesNotContain("node-1");
    assertThat(CommandOutcome.run("events", "--address", address(), "--since", "1h").out())
        .contains("node-1");
    assertThat(CommandOutcome.run("events", "--address", address(), "-o", "yaml").out())
        .contains("- id: ", "  healthevent:", "    nodeName: node-1");
    assertThat(CommandOutcome.run("events", "--address", address(), "-o", "json").out())
        .startsWith("[ {")
        .contains("\"nodeName\" : \"node-2\"");
  }

  @Test
  void moreThanAPageIsReadInOrder() throws IOException {
    List<HealthEvent> many =
        IntStream.range(0, 1000)
            .mapToObj(i -> TestEvents.unhealthy("").message("m" + i).build())
            .toList();
    store.append(many);
    List<String> messages = new ArrayList<>();

    try (EventLogClient client = new EventLogClient(address())) {
      client.read(
          Optional.empty(), Optional.empty(), event -> messages.add(event.event().message()));
    }

    assertThat(messages).isEqualTo(many.stream().map(HealthEvent::message).toList());
  }

  @Test
  void aBugAboutOneCallerHoldsUpNoOther() throws IOException {
    LoopBug bug = new LoopBug();
    EventStore buggy =
        (EventStore)
            Proxy.newProxyInstance(
                EventLogTest.class.getClassLoader(),
                new Class<?>[] {EventStore.class},
                (_, method, arguments) -> {
                  boolean bad =
                      method.getName().equals("query")
                          && ((EventQuery) arguments[0]).node().filter("bad"::equals).isPresent();
                  if (bad) {
                    bug.strike();
                  }
                  return method.invoke(store, arguments);
                });
    send("bad");
    send("good");
    List<String> seen = new CopyOnWriteArrayList<>();
    try (TcpServer own = listen(buggy);
        EventLogClient waiting = new EventLogClient("127.0.0.1:" + own.port());
        EventLogClient other = new EventLogClient("127.0.0.1:" + own.port())) {
      Thread.ofVirtual().start(() -> read(waiting, "bad", seen));

      bug.staysIn(
          "event-log",
          kube,
          Eventually.inRealTime(),
          () -> {
            List<String> others = new ArrayList<>();
            read(other, "good", others);
            assertThat(others).containsExactly("good");
            assertThat(seen).isEmpty();
          },
          () -> assertThat(seen).containsExactly("bad"));
    }
  }

  private static void read(EventLogClient client, String node, List<String> seen) {
    try {
      client.read(Optional.of(node), Optional.empty(), event -> seen.add(event.event().nodeName()));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Test
  void aWatchShowsNewEventsAndNewStatesUntilTheOperatorEnds() throws InterruptedException {
    String first = send("node-1");
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    String address = address();
    String[] words = {"events", "--address", address, "-w"};
    CommandLine line = CommandOutcome.commandLine(words);
    line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int[] code = {0};
    Thread command = Thread.ofVirtual().start(() -> code[0] = line.execute(words));
    await(out, "node-1");

    send("node-2");
    await(out, "node-2");
    store.update(first, StatusUpdate.NONE.nodeQuarantined(HealthStatus.QUARANTINED));
    await(out, "Quarantined");
    server.close();
    command.join();

    assertThat(out.toString().lines().filter(each -> each.startsWith("AGE"))).hasSize(1);
    assertThat(code[0]).isNotZero();
    assertThat(err.toString())
        .containsAnyOf(
            "the operator at %s has stopped".formatted(address),
            "no operator with part ingest answers at " + address);
  }

  private static void await(StringWriter out, String text) {
    Eventually.inRealTime().until(out::toString, printed -> printed.contains(text));
  }

  @Test
  void readersWhoLeaveMakeRoomForOthers() {
    send("node-1");
    for (int i = 0; i < 100; i++) {
      Eventually.inRealTime().until(this::lookOnce);
    }
  }

  private boolean lookOnce() throws IOException {
    List<String> seen = new ArrayList<>();
    try (EventLogClient client = new EventLogClient(address())) {
      client.watch(
          Optional.empty(),
          Optional.empty(),
          event -> {
            seen.add(event.event().nodeName());
            return false;
          });
    }
    return seen.equals(List.of("node-1"));
  }

  /** More of them than may read at a time. */
  @Test
  void requestsThatCannotBeMeantAreRefusedAndTakeNoRoom() throws IOException {
    send("node-1");
    ManagedChannel channel = TcpChannels.channel(address(), Optional.empty());
    EventLogProto.LogRequest request =
        EventLogProto.LogRequest.newBuilder()
            .setSince(Timestamp.newBuilder().setSeconds(Long.MAX_VALUE))
            .build();
    for (int i = 0; i < 40; i++) {
      assertThatThrownBy(() -> EventLogGrpc.newBlockingStub(channel).read(request).hasNext())
          .hasMessage("INVALID_ARGUMENT: since is not a time");
    }
    channel.shutdownNow();

    assertThat(lookOnce()).isTrue();
  }

  @Test
  void nobodyThereIsSaid() {
    CommandOutcome outcome = CommandOutcome.run("events", "--address", "127.0.0.1:1");

    assertThat(outcome.exitCode()).isNotZero();
    assertThat(outcome.err())
        .contains("no operator with part ingest answers at 127.0.0.1:1", "--from");
    assertThat(CommandOutcome.run("events", "--from", "x", "-w").err()).contains("leave out -w");
  }
}
