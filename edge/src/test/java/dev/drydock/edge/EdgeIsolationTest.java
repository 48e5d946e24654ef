package dev.drydock.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.edge.decide.DrainRequester;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.NodeDrainState;
import dev.drydock.edge.record.FileOperations;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.testkit.LoopBug;
import dev.drydock.testkit.TestCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bug in one loop of an agent: its other loops go on, and nothing has to be restarted. */
class EdgeIsolationTest {
  @TempDir private Path folder;
  private final LoopBug bug = new LoopBug();
  private EdgeFixture edge;

  @BeforeEach
  void cluster() {
    edge = new EdgeFixture(TestCluster.simulated(), folder);
  }

  @AfterEach
  void end() {
    edge.close();
  }

  private void rebootCordoned() {
    edge.start();
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.eventually().until(() -> !edge.commands.isEmpty());
    edge.reboot(false);
    assertThat(edge.isCordoned(edge.node)).isTrue();
  }

  private String path() {
    return "/api/v1/nodes/" + edge.node;
  }

  /** Reading one file meets the bug. */
  private record BuggyFiles(FileOperations files, Path file, LoopBug bug)
      implements FileOperations {
    @Override
    public Optional<byte[]> read(Path from) throws IOException {
      if (from.equals(file)) {
        bug.strike();
      }
      return files.read(from);
    }

    @Override
    public void write(Path to, byte[] content) throws IOException {
      files.write(to, content);
    }

    @Override
    public void sync(Path fileOrFolder) throws IOException {
      files.sync(fileOrFolder);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
      files.rename(from, to);
    }

    @Override
    public void delete(Path gone) throws IOException {
      files.delete(gone);
    }

    @Override
    public void makeFolder(Path made) throws IOException {
      files.makeFolder(made);
    }
  }

  @Test
  void theNodeIsUncordonedAfterTheBootWhileTheFilesMeetABug() {
    rebootCordoned();
    edge.ask(EdgeOperation.SHUTDOWN, "shutdown");
    edge.start(
        RequestInterceptor.NONE,
        new BuggyFiles(new QuickFiles(), edge.paths.asked(EdgeOperation.SHUTDOWN), bug));

    bug.staysIn(
        "edge",
        edge.kube(),
        edge.eventually(),
        () -> {
          assertThat(edge.isCordoned(edge.node)).isFalse();
          assertThat(edge.commands).containsExactly("reboot");
        },
        () -> assertThat(edge.commands).containsExactly("reboot", "shutdown"));
  }

  @Test
  void otherRequestsAreTakenWhileTheCordonMeetsABug() {
    edge.start(bug.atWritesTo(path()), new QuickFiles());
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.awaitStatus(NodeDrainState.STARTING);
    edge.ask(EdgeOperation.UPDATE, "image", "install");

    bug.staysIn(
        "edge-api",
        edge.kube(),
        edge.eventually(),
        () -> {
          assertThat(edge.paths.request(DrainRequester.UPDATE)).exists();
          assertThat(edge.isCordoned(edge.node)).isFalse();
          assertThat(edge.commands).isEmpty();
        },
        () -> assertThat(edge.commands).isNotEmpty());
  }

  @Test
  void theStatusIsPublishedWhileTheUncordonAfterTheBootMeetsABug() {
    rebootCordoned();
    edge.start(bug.atWritesTo(path()), new QuickFiles());

    bug.staysIn(
        "edge-boot",
        edge.kube(),
        edge.eventually(),
        () -> {
          assertThat(edge.status().state()).isEqualTo(NodeDrainState.NOTREQUESTED);
          assertThat(edge.isCordoned(edge.node)).isTrue();
        },
        () -> assertThat(edge.isCordoned(edge.node)).isFalse());
  }

  @Test
  void theStatusIsPublishedWhileTheRemovalOfTheNodeMeetsABug() {
    edge.publish(
        edge.paths.clusterConfig(), "{\"Initialized\":true,\"Valid\":true,\"ClusterName\":\"c\"}");
    bug.at(call -> call.verb() == ApiCall.Verb.DELETE && call.path().startsWith(path()));
    edge.start(bug, new QuickFiles());
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    edge.publish(edge.paths.clusterConfig(), "{\"Initialized\":true,\"Valid\":false}");

    bug.staysIn(
        "edge-leaving",
        edge.kube(),
        edge.eventually(),
        () -> {
          assertThat(edge.status().state()).isEqualTo(NodeDrainState.NOTSUPPORTED);
          assertThat(edge.cluster.client().nodes().withName(edge.node).get()).isNotNull();
        },
        () -> assertThat(edge.cluster.client().nodes().withName(edge.node).get()).isNull());
  }
}
