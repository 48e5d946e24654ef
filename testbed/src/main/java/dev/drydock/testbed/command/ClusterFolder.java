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
 * What is on disk of one named cluster: the record of the process that runs it, its log, and below
 * {@code run} everything of the cluster itself. All of it goes with the cluster.
 */
record ClusterFolder(Path state, String name) {
  private static final String CLUSTERS = "clusters";
  private static final long MEGABYTE = 1 << 20;
  private static final long LEAST_MEGABYTES = 300;
  private static final ObjectMapper JSON = new ObjectMapper().registerModule(new JavaTimeModule());

  /** The process that runs the cluster; a pid alone could by now be somebody else's. */
  record Host(long pid, long startTicks) {
    static Host current() {
      long pid = ProcessHandle.current().pid();
      return new Host(pid, startTicks(pid).orElseThrow());
    }

    Optional<ProcessHandle> process() {
      return ProcessHandle.of(pid).filter(_ -> startTicks(pid).equals(Optional.of(startTicks)));
    }

    /**
     * When the process started, counted from the boot of the machine: the clock may be set while a
     * cluster is up. Empty if it has ended, even if nobody has taken note of that yet.
     */
    private static Optional<Long> startTicks(long pid) {
      try {
        String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        // before these fields stands the program's name in parentheses, which may hold anything
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return fields[0].equals("Z") ? Optional.empty() : Optional.of(Long.valueOf(fields[19]));
      } catch (IOException _) {
        return Optional.empty(); // there is no such process
      }
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
    return Optional.ofNullable(System.getenv("XDG_STATE_HOME"))
        .map(Path::of)
        // unset, empty and relative are the same, say the XDG rules
        .filter(Path::isAbsolute)
        .orElse(Path.of(System.getProperty("user.home"), ".local", "state"))
        .resolve("drydock");
  }

  /** Takes the name for this process, which is the only one to do so. */
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

  /** Etcd alone writes its first log file in one piece of 64 MB. */
  void checkSpace() {
    try {
      long free = Files.getFileStore(path()).getUsableSpace() / MEGABYTE;
      if (free < LEAST_MEGABYTES) {
        throw new CommandFailure(
            "no disk: %s has %d MB free, and a cluster needs %d MB; make room, or set XDG_STATE_HOME to another folder"
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

  /** Has a short name, because a kubelet's sockets are below it. */
  Path controlPlane() {
    return path().resolve("run");
  }

  /**
   * By how many characters the path is too long for a kubelet, whose sockets Linux limits to 107.
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
      FileTrees.delete(path());
    } catch (IOException e) {
      throw unusable(path(), e);
    }
    try {
      Files.deleteIfExists(state.resolve(CLUSTERS));
      Files.deleteIfExists(state);
    } catch (DirectoryNotEmptyException _) {
      // another cluster lives there
    } catch (IOException e) {
      throw unusable(state, e);
    }
  }

  private <T> Optional<T> read(String file, Class<T> type) {
    try {
      return Optional.of(JSON.readValue(path().resolve(file).toFile(), type));
    } catch (FileNotFoundException _) {
      return Optional.empty(); // not written yet, or gone with the cluster
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
