package dev.drydock.edge.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.edge.decide.ClusterMembership;
import dev.drydock.edge.record.DiskFiles;
import dev.drydock.edge.record.EdgePaths;
import dev.drydock.edge.record.PublishedFiles;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Transport;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.testkit.Eventually;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeavingControllerTest {
  @TempDir private Path folder;

  /** An API server that does not answer before it may. */
  private static final class Hanging implements Transport {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    @Override
    public KubeAnswer send(ApiCall call, Duration answerWithin) {
      asked.countDown();
      try {
        go.await();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
      return KubeAnswer.none("hangs");
    }

    @Override
    public Stream watch(ApiCall call, Duration answerWithin, Duration lasts, Events events) {
      return Stream.NONE;
    }

    @Override
    public void close() {}
  }

  private EdgeContext context(Kube kube) {
    PublishedFiles files = new PublishedFiles(new DiskFiles());
    EdgePaths paths =
        new EdgePaths(folder.resolve("run"), folder.resolve("persist"), folder.resolve("tmp"));
    EdgeAgentSettings settings =
        new EdgeAgentSettings(
            "node",
            "",
            "default",
            "identity",
            paths,
            ClusterMembership.Wanted.AUTO,
            Optional.empty(),
            true,
            true,
            true,
            Duration.ZERO,
            Duration.ZERO,
            Duration.ofSeconds(5),
            Map.of());
    EdgeJournal journal = new EdgeJournal(new SimpleMeterRegistry(), EdgeJournal.Sink.NONE);
    return new EdgeContext(
        settings,
        kube,
        new DrainEngine(kube),
        files,
        new EdgeFiles(paths, files, _ -> {}),
        journal,
        "boot");
  }

  @Test
  void whoeverLooksAtFilesDoesNotWaitForAnApiServerThatHangs() throws InterruptedException {
    Hanging server = new Hanging();
    try (Kube kube =
        new Kube(
            new KubeHttp(server, RequestInterceptor.NONE, 0, Duration.ofMinutes(1)),
            TimeSource.REAL)) {
      EdgeContext context = context(kube);
      try (EdgeDrainTurn turn = new EdgeDrainTurn(kube, "identity", () -> {});
          EdgeApi api = new EdgeApi(context, turn);
          LeavingController leaving = new LeavingController(context, api, () -> {})) {
        leaving.leave();
        server.asked.await();

        Thread loop = Thread.ofPlatform().start(leaving::leave);

        Eventually.inRealTime().until(() -> !loop.isAlive());
        assertThat(server.go.getCount()).as("the server still hangs").isOne();
        server.go.countDown();
      }
    }
  }
}
