package dev.drydock.testbed.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.drydock.cli.CommandFailure;
import dev.drydock.testbed.FileTrees;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files of one named cluster: the record of its process, its log, and below {@code run}
 * everything of the cluster itself. All are removed with the cluster.
 */
record ClusterFolder(Path state, String name) {
  private static final String CLUSTERS = "clusters";
  private static final long MEGABYTE = 1 << 20;
  private static final long LEAST_MEGABYTES = 300;
  private static final ObjectMapper JSON = new ObjectMapper().registerModule(new JavaTimeModule());

  /** The process that runs the cluster; a pid alone could belong to another process by now. */
  record Host(long pid, long startTicks) {
    static Host current() {
      long pid = ProcessHandle.current().pid();
      return new Host(pid, startTicks(pid).orElseThrow());
    }

    Optional<ProcessHandle> process() {
      return ProcessHandle.of(pid).filter(_ -> startTicks(pid).equals(Optional.of(startTicks)));
    }

    /**
     * When the process started, in ticks since boot, because the clock may be set while a cluster
     * is up. Empty if it has ended, even if its parent has not reaped it yet.
     */
    private static Optional<Long> startTicks(long pid) {
      try {
        String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        // these fields follow the program's name in parentheses, which may contain anything
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return fields[0].equals("Z") ? Optional.empty() : Optional.of(Long.valueOf(fields[19]));
      } catch (IOException _) {
        return Optional.empty(); // the process does not exist
      }
    }
  }

  /** The facts about a running cluster. */
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
          .map(folder -> new ClusterFolder(state, folder.getFileName().toString()))
          .sorted(Comparator.comparing(ClusterFolder::name))
          .toList();
    } catch (NoSuchFileException _) {
      return List.of(); // no cluster was ever started
    } catch (IOException e) {
      throw unusable(state, e);
    }
  }

  private static Path stateOfUser() {
    return Optional.ofNullable(System.getenv("XDG_STATE_HOME"))
        .map(Path::of)
        // the XDG specification treats unset, empty and relative alike
        .filter(Path::isAbsolute)
        .orElse(Path.of(System.getProperty("user.home"), ".local", "state"))
        .resolve("drydock");
  }

  /** Reserves the name for this process; fails if it is taken. */
  void claim() {
    try {
      Files.createDirectories(path().getParent());
      Files.createDirectory(path());
    } catch (FileAlreadyExistsException e) {
      if (Files.isDirectory(path())) {
        throw taken();
      }
      throw unusable(path(), e);
    } catch (IOException e) {
      throw unusable(path(), e);
    }
    recordHost();
  }

  /** Etcd alone allocates 64 MB for its first log file. */
  void checkSpace() {
    try {
      long free = Files.getFileStore(path()).getUsableSpace() / MEGABYTE;
      if (free < LEAST_MEGABYTES) {
        throw new CommandFailure(
            "disk full: %s has %d MB free, and a cluster needs %d MB; free some space, or set XDG_STATE_HOME to another folder"
                .formatted(path(), free, LEAST_MEGABYTES));
      }
    } catch (IOException e) {
      throw unusable(path(), e);
    }
  }

  private CommandFailure taken() {
    return new CommandFailure(
        host().isPresent()
            ? "cluster \"%s\" is already up; stop it with 'drydock cluster down%s', or pick another --name"
                .formatted(name, ClusterName.flag(name))
            : "cluster \"%s\" died; remove what is left of it with 'drydock cluster down%s'"
                .formatted(name, ClusterName.flag(name)));
  }

  Path path() {
    return state.resolve(CLUSTERS).resolve(name);
  }

  /** Has a short name, because the paths of a kubelet's sockets begin with it. */
  Path controlPlane() {
    return path().resolve("run");
  }

  /**
   * By how many characters the path is too long for a kubelet: Linux limits socket paths to 107.
   */
  int excessForKubelet() {
    String longest = "drydock999/kubelet/pod-resources/1234567890";
    return controlPlane().resolve(longest).toString().length() - 107;
  }

  Path log() {
    return path().resolve("host.log");
  }

  /** The live process that runs this cluster. */
  Optional<ProcessHandle> host() {
    return read("host.json", Host.class).flatMap(Host::process);
  }

  /** From now on the cluster lives as long as this process. */
  void recordHost() {
    write("host.json", Host.current());
  }

  /** Present when the cluster is ready for use. */
  Optional<Running> running() {
    return read("running.json", Running.class);
  }

  void recordRunning(Running running) {
    write("running.json", running);
  }

  /** Removes all files, and parent folders that are empty then. */
  void delete() {
    try {
      FileTrees.delete(path());
    } catch (IOException e) {
      throw unusable(path(), e);
    }
    try {
      Files.deleteIfExists(state.resolve(CLUSTERS));
      Files.deleteIfExists(state);
    } catch (DirectoryNotEmptyException _) {
      // another cluster's files are there
    } catch (IOException e) {
      throw unusable(state, e);
    }
  }

  private <T> Optional<T> read(String file, Class<T> type) {
    try {
      return Optional.of(JSON.readValue(path().resolve(file).toFile(), type));
    } catch (FileNotFoundException _) {
      return Optional.empty(); // not written yet, or removed with the cluster
    } catch (IOException e) {
      throw unusable(path().resolve(file), e);
    }
  }

  /** Written to another file and renamed, so that readers never see a partial file. */
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
        "cannot use %s: %s; set XDG_STATE_HOME to a folder that can be written"
            .formatted(path, reason(e)),
        e);
  }

  private static String reason(IOException e) {
    return switch (e) {
      case AccessDeniedException _ -> "permission denied";
      case FileAlreadyExistsException _, NotDirectoryException _ -> "Not a directory";
      case FileSystemException detailed when detailed.getReason() != null -> detailed.getReason();
      default -> String.valueOf(e.getMessage());
    };
  }
}
