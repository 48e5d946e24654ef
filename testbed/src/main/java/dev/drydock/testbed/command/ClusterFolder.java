package dev.drydock.testbed.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.drydock.cli.CommandFailure;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is on disk of one named cluster: the record of the process that runs it, its log, and below
 * {@code control-plane} everything of the cluster itself. All of it goes with the cluster.
 */
record ClusterFolder(Path state, String name) {
  private static final String CLUSTERS = "clusters";
  private static final ObjectMapper JSON = new ObjectMapper().registerModule(new JavaTimeModule());

  /** The process that runs the cluster; a pid alone could by now be somebody else's. */
  record Host(long pid, Instant started) {
    static Host of(ProcessHandle process) {
      return new Host(process.pid(), process.info().startInstant().orElse(Instant.EPOCH));
    }

    Optional<ProcessHandle> process() {
      return ProcessHandle.of(pid)
          .filter(ProcessHandle::isAlive)
          .filter(found -> of(found).equals(this));
    }
  }

  /** What a running cluster is. */
  record Running(
      String version,
      String server,
      String kubeconfig,
      String kubectl,
      int nodes,
      boolean kubelet,
      Instant since) {}

  static ClusterFolder ofUser(String name) {
    return new ClusterFolder(stateOfUser(), name);
  }

  /** All clusters of this user, up or not, by name. */
  static List<ClusterFolder> all() {
    Path state = stateOfUser();
    try (Stream<Path> folders = Files.list(state.resolve(CLUSTERS))) {
      return folders
          .filter(folder -> !folder.getFileName().toString().startsWith(".")) // a claim under way
          .map(folder -> new ClusterFolder(state, folder.getFileName().toString()))
          .sorted(Comparator.comparing(ClusterFolder::name))
          .toList();
    } catch (NoSuchFileException _) {
      return List.of(); // none was ever started
    } catch (IOException e) {
      throw unusable(state, e);
    }
  }

  private static Path stateOfUser() {
    String state = System.getenv("XDG_STATE_HOME");
    Path base =
        state == null || state.isBlank()
            ? Path.of(System.getProperty("user.home"), ".local", "state")
            : Path.of(state).toAbsolutePath();
    return base.resolve("drydock");
  }

  /**
   * Claims the name for this process. What a dead cluster left behind is removed first; a living
   * one is not touched.
   */
  void claim() {
    ClusterFolder fresh =
        new ClusterFolder(state, "." + name + "." + ProcessHandle.current().pid());
    try {
      Files.createDirectories(fresh.path());
      fresh.recordHost(ProcessHandle.current());
      if (Files.exists(path()) && host().isEmpty()) {
        deleteTree(path());
      }
      // in one step, with its owner in it: two claims at once cannot both succeed
      Files.move(fresh.path(), path(), StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      fresh.delete();
      if (host().isPresent()) {
        throw new CommandFailure(
            "cluster \"%s\" is already up; stop it with 'drydock cluster down%s', or pick another --name"
                .formatted(name, ClusterName.flag(name)));
      }
      throw unusable(path(), e);
    } catch (IOException e) {
      throw unusable(path(), e);
    }
  }

  Path path() {
    return state.resolve(CLUSTERS).resolve(name);
  }

  Path controlPlane() {
    return path().resolve("control-plane");
  }

  Path log() {
    return path().resolve("host.log");
  }

  /** The live process that runs this cluster. */
  Optional<ProcessHandle> host() {
    return read("host.json", Host.class).flatMap(Host::process);
  }

  void recordHost(ProcessHandle process) {
    write("host.json", Host.of(process));
  }

  /** Present from the moment the cluster is ready for use. */
  Optional<Running> running() {
    return read("running.json", Running.class);
  }

  void recordRunning(Running running) {
    write("running.json", running);
  }

  /** Removes every trace, and the folders above that have become empty. */
  void delete() {
    try {
      deleteTree(path());
      Files.deleteIfExists(state.resolve(CLUSTERS));
      Files.deleteIfExists(state);
    } catch (DirectoryNotEmptyException _) {
      // another cluster lives there
    } catch (IOException e) {
      throw unusable(path(), e);
    }
  }

  private static void deleteTree(Path top) throws IOException {
    if (Files.exists(top)) {
      try (Stream<Path> tree = Files.walk(top)) {
        for (Path file : tree.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private <T> Optional<T> read(String file, Class<T> type) {
    try {
      return Optional.of(JSON.readValue(path().resolve(file).toFile(), type));
    } catch (FileNotFoundException _) {
      return Optional.empty();
    } catch (IOException e) {
      throw unusable(path().resolve(file), e);
    }
  }

  /** Written beside and moved: a reader sees all of it or nothing. */
  private void write(String file, Object value) {
    try {
      Path fresh = path().resolve(file + ".new");
      JSON.writeValue(fresh.toFile(), value);
      Files.move(fresh, path().resolve(file), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw unusable(path().resolve(file), e);
    }
  }

  private static CommandFailure unusable(Path path, IOException e) {
    return new CommandFailure(
        "cannot use "
            + path
            + ": "
            + reason(e)
            + "; set XDG_STATE_HOME to a folder that can be written",
        e);
  }

  private static String reason(IOException e) {
    return switch (e) {
      case AccessDeniedException _ -> "permission denied";
      case FileSystemException detailed when detailed.getReason() != null -> detailed.getReason();
      default -> String.valueOf(e.getMessage());
    };
  }
}
