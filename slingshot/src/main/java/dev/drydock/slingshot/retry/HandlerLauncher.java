package dev.drydock.slingshot.retry;

import dev.drydock.contracts.cxi.CXIDriverSpec.CrashAction;
import dev.drydock.slingshot.node.HostRoots;
import dev.drydock.slingshot.retry.decide.HandlerHistory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The command line that starts {@code cxi_rh} for a NIC. A few lines of shell take the lock of the
 * NIC, which the handler then holds as long as it runs, whatever becomes of who started it; remove
 * what a handler that crashed has left; and become the handler.
 *
 * @param program the path of cxi_rh
 * @param configuration its configuration file; empty for its default
 * @param changedRoot the folder that is the program's root directory; empty for that of this
 *     process
 */
public record HandlerLauncher(
    HostRoots roots, Path program, Optional<Path> configuration, Optional<Path> changedRoot) {
  /**
   * Its arguments are the lock, the folder of statistics, the mark of a handler that runs, what
   * happens if that is there already, and the command. Only who has the lock looks at the mark.
   */
  private static final String SCRIPT =
      """
      lock=$1 folder=$2 mark=$3 on_crash=$4
      shift 4
      mkdir -p "${lock%%/*}"
      exec 9>>"$lock" || exit 1
      flock -n 9 || exit %d
      if [ "$on_crash" = quarantine ] && [ -e "$mark" ]; then exit %d; fi
      : >"$mark" || exit 1
      umount -l "$folder" 2>/dev/null
      mkdir -p "$folder"
      exec "$@"
      """
          .formatted(HandlerHistory.LOCKED, HandlerHistory.ABANDONED);

  /** Two handlers for one NIC exclude each other by it. */
  public Path lock(String nic) {
    return roots.lock(nic);
  }

  /** There while a handler runs; if it is there before one starts, the last one was killed. */
  public Path mark(String nic) {
    return roots.runCxi().resolve(nic + ".running");
  }

  /** Where the handler shows its statistics. */
  public Path statistics(String nic) {
    return changedRoot.map(root -> root.resolve("run/cxi")).orElse(roots.runCxi()).resolve(nic);
  }

  /** Whether there is a program to start. */
  public boolean isThere() {
    return Files.isExecutable(
        changedRoot.map(root -> root.resolve(Path.of("/").relativize(program))).orElse(program));
  }

  /**
   * The words of the command.
   *
   * @param onCrash of an earlier handler, which nobody was there to see
   */
  public List<String> command(String nic, CrashAction onCrash) {
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of(
            "/bin/sh",
            "-c",
            SCRIPT,
            "cxi-retry-handler",
            lock(nic).toString(),
            statistics(nic).toString(),
            mark(nic).toString(),
            onCrash.name()));
    changedRoot.ifPresent(root -> command.addAll(List.of("chroot", root.toString())));
    command.addAll(List.of(program.toString(), "--device=" + nic, "--log-stdout"));
    configuration.ifPresent(file -> command.add("--conf=" + file));
    return List.copyOf(command);
  }
}
