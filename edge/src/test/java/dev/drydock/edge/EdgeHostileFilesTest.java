package dev.drydock.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.edge.decide.DrainRequester;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.NodeDrainState;
import dev.drydock.testkit.TestCluster;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that a hostile user, a careless one or a damaged disk has put in the place of records. The
 * agent says what is wrong and serves all others.
 */
@Timeout(value = 40, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a pipe would wait for ever
class EdgeHostileFilesTest {
  @TempDir private Path folder;
  private EdgeFixture edge;

  @BeforeEach
  void cluster() {
    edge = new EdgeFixture(TestCluster.simulated(), folder);
  }

  /** A writer comes for each pipe, so that an agent that did wait for one can end. */
  @AfterEach
  void end() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path pipe : files.filter(EdgeHostileFilesTest::isPipe).toList()) {
        try (RandomAccessFile _ = new RandomAccessFile(pipe.toFile(), "rw")) {
          Files.delete(pipe);
        }
      }
    }
    edge.close();
  }

  private static boolean isPipe(Path file) {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .isOther();
    } catch (IOException gone) {
      return false;
    }
  }

  /** What is in the place of a file. */
  enum InPlace {
    PIPE("not a regular file") {
      @Override
      void make(Path file) throws IOException {
        run("mkfifo", file.toString());
      }
    },
    FOLDER("not a regular file") {
      @Override
      void make(Path file) throws IOException {
        Files.createDirectories(file.resolve("full"));
      }
    },
    LOOP("link that cannot be followed") {
      @Override
      void make(Path file) throws IOException {
        Files.createSymbolicLink(file, file);
      }
    },
    /** Takes no room on the disk. */
    HUGE("more than 1048576 bytes") {
      @Override
      void make(Path file) throws IOException {
        try (RandomAccessFile hole = new RandomAccessFile(file.toFile(), "rw")) {
          hole.setLength(1L << 40);
        }
      }
    },
    GARBAGE("not JSON") {
      @Override
      void make(Path file) throws IOException {
        Files.write(file, new byte[] {0, -1, '{', -2, 0x7f});
      }
    };

    private final String told;

    InPlace(String told) {
      this.told = told;
    }

    abstract void make(Path file) throws IOException;
  }

  private static void run(String... command) {
    try {
      Process process = new ProcessBuilder(command).inheritIO().start();
      assertThat(process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0).isTrue();
    } catch (IOException failed) {
      throw new AssertionError(failed);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new AssertionError(stopped);
    }
  }

  private void put(InPlace what, Path file) throws IOException {
    Files.createDirectories(file.resolveSibling("."));
    what.make(file);
  }

  private void rebootsAfterItsDrain() {
    edge.runPod("web");
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.eventually().until(() -> !edge.commands.isEmpty());
    assertThat(edge.commands).containsExactly("reboot");
    assertThat(edge.hasPod("web")).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void aForceFileThatIsNoneIsIgnored(InPlace what) throws IOException {
    Path force = edge.paths.force().getLast();
    Files.createDirectories(force.resolveSibling("."));
    edge.start();
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    put(what, force);

    rebootsAfterItsDrain();

    assertThat(edge.log).filteredOn(line -> line.contains(what.told)).hasSize(1);
    edge.eventually().until(() -> !edge.events("ForceFileIgnored").isEmpty());
  }

  @ParameterizedTest
  @EnumSource
  void anAgentStartsBesideAForceFileThatIsNone(InPlace what) throws IOException {
    put(what, edge.paths.force().getLast());

    edge.start();

    rebootsAfterItsDrain();
  }

  @ParameterizedTest
  @EnumSource
  void oneRequestThatCannotBeReadDoesNotHoldUpAnother(InPlace what) throws IOException {
    put(what, edge.paths.request(DrainRequester.UPDATE));
    put(what, edge.paths.configItems());
    put(what, edge.paths.operation(EdgeOperation.POWEROFF));
    put(what, edge.paths.asked(EdgeOperation.SHUTDOWN));
    put(what, edge.paths.history());

    edge.start();

    rebootsAfterItsDrain();
    assertThat(edge.log).anyMatch(line -> line.contains("baseosmgr") && line.contains(what.told));
  }

  /** Nobody else gives files away. */
  static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  @Test
  @EnabledIf("isRoot")
  void aForceFileOfAnotherUserInAFolderOfAllDoesNotCount() throws IOException {
    Path force = edge.paths.force().getLast();
    Files.createDirectories(force.resolveSibling("."));
    Files.setPosixFilePermissions(
        force.resolveSibling("."), PosixFilePermissions.fromString("rwxrwxrwx"));
    edge.start();
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    edge.runPod("web");
    edge.budget("web");
    Files.writeString(force, "{\"Status\":9,\"RequestedBy\":1}");
    Files.setAttribute(force, "unix:uid", 65534);
    Path injection = edge.paths.faultInjection();
    Files.writeString(injection, "");
    Files.setAttribute(injection, "unix:uid", 65534);

    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.awaitStatus(NodeDrainState.CORDONED);
    edge.eventually().holdsFor(Duration.ofHours(1), () -> assertThat(edge.commands).isEmpty());
    assertThat(edge.log).anyMatch(line -> line.contains("it is not root's"));

    edge.removeBudget("web");
    edge.eventually().until(() -> !edge.commands.isEmpty());
  }

  @Test
  void aForceFileOfRootInAFolderOfAllCounts() throws IOException {
    Path force = edge.paths.force().getLast();
    Files.createDirectories(force.resolveSibling("."));
    Files.setPosixFilePermissions(
        force.resolveSibling("."), PosixFilePermissions.fromString("rwxrwxrwx"));
    edge.start();
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    edge.runPod("web");
    edge.budget("web");
    edge.ask(EdgeOperation.REBOOT, "reboot");
    edge.awaitStatus(NodeDrainState.CORDONED);

    Files.writeString(force, "{\"Status\":9,\"RequestedBy\":1}");

    edge.eventually().until(() -> !edge.commands.isEmpty());
  }

  /** The first is the zero value of a time in EVE's programs. */
  @ParameterizedTest
  @ValueSource(
      strings = {"0001-01-01T00:00:00Z", "1600-01-01T00:00:00Z", "-999999-01-01T00:00:00Z"})
  void aRequestWithoutASensibleTimeIsServed(String time) {
    edge.start();
    edge.runPod("web");
    edge.publish(
        edge.paths.request(DrainRequester.UPDATE),
        "{\"RequestedAt\":\"%s\",\"RequestedBy\":3,\"Context\":\"v2\"}".formatted(time));

    edge.awaitStatus(NodeDrainState.COMPLETE);

    assertThat(edge.hasPod("web")).isFalse();
    assertThat(edge.log).noneMatch(line -> line.startsWith("kubevirt_node_drain_completion"));
  }

  @Test
  void aRequestForAnotherOperationThanItsFileSaysIsRefused() throws IOException {
    edge.start();
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    edge.ask(EdgeOperation.POWEROFF, "poweroff");
    edge.kill();
    Path wrong = edge.paths.asked(EdgeOperation.REBOOT);
    Files.move(edge.paths.asked(EdgeOperation.POWEROFF), wrong);
    edge.start();

    edge.eventually().until(() -> !Files.exists(wrong));
    edge.eventually().holdsFor(Duration.ofMinutes(5), () -> assertThat(edge.commands).isEmpty());
    assertThat(edge.operation(EdgeOperation.REBOOT)).isEmpty();
    assertThat(edge.log).anyMatch(line -> line.startsWith("reboot is refused"));
  }

  @Test
  void anUpdateWithoutACommandIsRefused() {
    edge.start();
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    edge.ask(EdgeOperation.UPDATE, "v2");

    edge.eventually().until(() -> !Files.exists(edge.paths.asked(EdgeOperation.UPDATE)));
    assertThat(edge.log).anyMatch(line -> line.startsWith("update is refused"));
    assertThat(edge.isCordoned(edge.node)).isFalse();
  }
}
