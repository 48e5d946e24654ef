package dev.drydock.lifecycle.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.Kube;
import dev.drydock.serve.socket.UnixServer;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.LoopBug;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sockets of a plugin that somebody removes. */
class SocketKeeperTest {
  private static final String NAME = "drain.example";

  @TempDir private Path folder;
  private final Kube kube = NoCluster.kube();
  private PluginServer.SocketFolders folders;
  private PluginServer server;
  private SocketKeeper keeper;
  private PluginRegistry registry;

  @BeforeEach
  void start() throws IOException {
    folders = new PluginServer.SocketFolders(folder.resolve("plugins"), folder.resolve("registry"));
    server = PluginServer.start(NAME, folders, new RecordingDriver(), (_, _) -> {});
    keeper = new SocketKeeper(kube, NAME, server);
    keeper.start();
    registry = new PluginRegistry(kube, folders.registrationFolder(), () -> {});
    registry.start();
    awaitRegistered();
  }

  @AfterEach
  void close() {
    keeper.close();
    registry.close();
    server.close();
    kube.close();
  }

  @Test
  void areMadeAgain() throws IOException {
    for (Path socket : server.sockets()) {
      Files.delete(socket);

      patiently().until(() -> Files.exists(socket));
      patiently().until(() -> server.missing().isEmpty());
      awaitRegistered();
    }
  }

  @Test
  void areMadeAgainWithTheFolderOfRegistrations() throws IOException {
    remove(folders.registrationFolder());

    patiently().until(() -> server.sockets().stream().allMatch(Files::exists));
    awaitRegistered();
  }

  @Test
  void areMadeAgainWithTheFolderOfTheDriver() throws IOException {
    remove(folders.dataFolder());

    patiently().until(() -> server.sockets().stream().allMatch(Files::exists));
    awaitRegistered();
  }

  @Test
  void ofOneDriverAreMadeAgainWhileThoseOfAnotherMeetABug() throws IOException {
    LoopBug bug = new LoopBug();
    try (PluginServer bad =
            PluginServer.start("bad.example", folders, new RecordingDriver(), (_, _) -> {});
        SocketKeeper badKeeper =
            new SocketKeeper(
                kube,
                "bad.example",
                new SocketKeeper.Sockets() {
                  @Override
                  public List<Path> sockets() {
                    return bad.sockets();
                  }

                  @Override
                  public void restore() throws IOException {
                    bug.strike();
                    bad.restore();
                  }
                })) {
      badKeeper.start();
      Path good = server.sockets().getLast();
      Object before = UnixServer.identity(good);
      Files.delete(bad.sockets().getLast());
      Files.delete(good);

      bug.staysIn(
          "plugin-sockets",
          kube,
          patiently(),
          () -> {
            assertThat(UnixServer.identity(good)).isNotEqualTo(before);
            assertThat(bad.missing()).isPresent();
          },
          () -> assertThat(bad.missing()).isEmpty());
    }
  }

  @Test
  void areMissedWhileTheyCannotBeMade() throws IOException {
    Path registration = folders.registrationFolder();
    keeper.close();

    remove(registration);

    assertThat(server.missing())
        .hasValueSatisfying(why -> assertThat(why).contains(NAME + "-reg.sock is gone"));
    server.restore();
    assertThat(server.missing()).isEmpty();
  }

  @Test
  void thatASuccessorHasTakenAreLeftToIt() throws IOException {
    try (PluginServer successor =
        PluginServer.start(NAME, folders, new RecordingDriver(), (_, _) -> {})) {
      server.restore();

      assertThat(successor.missing()).isEmpty();
    }
  }

  private void awaitRegistered() {
    patiently()
        .until(
            () -> {
              PluginRegistry.Found found = registry.drivers().get(NAME);
              return found != null && found.presence().isConnected();
            });
  }

  private static Eventually patiently() {
    return Eventually.inRealTime();
  }

  /** Again and again, because what is removed is made again meanwhile. */
  private static void remove(Path folder) throws IOException {
    boolean removed = false;
    while (!removed) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(each);
        }
        removed = true;
      } catch (DirectoryNotEmptyException | NoSuchFileException | UncheckedIOException e) {
        removed = false;
      }
    }
  }
}
