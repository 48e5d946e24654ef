package dev.drydock.health.spool;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Empty;
import dev.drydock.health.connector.FakeApi;
import dev.drydock.health.connector.Forwarder;
import dev.drydock.health.wire.HealthEventProto;
import dev.drydock.health.wire.PlatformConnectorGrpc;
import dev.drydock.kube.Kube;
import dev.drydock.serve.socket.TcpServer;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.LoopBug;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForwardedSpoolTest {
  private static final TcpServer.Limits LIMITS =
      new TcpServer.Limits(
          4 << 20, Duration.ofMinutes(10), Duration.ofMinutes(5), Duration.ofSeconds(1));

  @TempDir private Path folder;
  private final List<String> received = new CopyOnWriteArrayList<>();

  private final class Ingest extends PlatformConnectorGrpc.PlatformConnectorImplBase {
    @Override
    public void healthEventOccurredV1(
        HealthEventProto.HealthEvents events, StreamObserver<Empty> answer) {
      events.getEventsList().forEach(event -> received.add(event.getMessage()));
      answer.onNext(Empty.getDefaultInstance());
      answer.onCompleted();
    }
  }

  /** Its batches can be written, and cannot be read because of a bug. */
  private record BuggyFiles(SpoolFiles files, LoopBug bug) implements SpoolFiles {
    @Override
    public List<String> list() throws IOException {
      return files.list();
    }

    @Override
    public SpoolFile open(String name) throws IOException {
      SpoolFile file = files.open(name);
      return SpoolSegment.isName(name) ? new BuggyFile(file, bug) : file;
    }

    @Override
    public void rename(String from, String to) throws IOException {
      files.rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
      files.delete(name);
    }

    @Override
    public void forceNames() throws IOException {
      files.forceNames();
    }

    @Override
    public void close() throws IOException {
      files.close();
    }
  }

  private record BuggyFile(SpoolFiles.SpoolFile file, LoopBug bug) implements SpoolFiles.SpoolFile {
    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public void read(ByteBuffer into, long offset) throws IOException {
      bug.strike();
      file.read(into, offset);
    }

    @Override
    public void write(ByteBuffer from, long offset) throws IOException {
      file.write(from, offset);
    }

    @Override
    public void truncate(long size) throws IOException {
      file.truncate(size);
    }

    @Override
    public void force() throws IOException {
      file.force();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  private static byte[] batch(String message) {
    return HealthEventProto.HealthEvents.newBuilder()
        .addEvents(HealthEventProto.HealthEvent.newBuilder().setMessage(message))
        .build()
        .toByteArray();
  }

  @Test
  void eventsAreTakenWhileForwardingMeetsABugAndForwardedInOrderAfterwards() throws Exception {
    LoopBug bug = new LoopBug();
    AtomicBoolean taken = new AtomicBoolean();
    try (Kube kube = new FakeApi().kube();
        TcpServer ingest =
            TcpServer.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Optional.empty(),
                LIMITS,
                List.of(new Ingest().bindService()));
        Spool spool =
            Spool.open(
                new BuggyFiles(new SpoolDisk(folder), bug),
                SpoolLimits.of(1 << 20, Duration.ZERO),
                Clock.systemUTC());
        Forwarder forwarder =
            new Forwarder(
                kube,
                spool,
                new Forwarder.Target(
                    "127.0.0.1:" + ingest.port(), Optional.empty(), Optional.empty()),
                new SimpleMeterRegistry())) {
      spool.append(batch("first"));
      forwarder.wake();

      bug.staysIn(
          "forwarder",
          kube,
          Eventually.inRealTime(),
          () -> {
            if (taken.compareAndSet(false, true)) {
              spool.append(batch("second"));
            }
            assertThat(received).isEmpty();
          },
          () -> assertThat(received).containsExactly("first", "second"));
    }
  }
}
