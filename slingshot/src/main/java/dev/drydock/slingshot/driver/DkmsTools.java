package dev.drydock.slingshot.driver;

import dev.drydock.slingshot.driver.decide.DkmsPackage;
import dev.drydock.slingshot.driver.decide.DkmsStatus;
import dev.drydock.slingshot.driver.decide.FailureReason;
import dev.drydock.slingshot.node.HostFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The host's {@code dkms}. Only one runs at a time, also if an agent died and left one behind: it
 * holds a lock until it ends.
 */
final class DkmsTools {
  private static final int LOCKED = 75;

  private final AgentFolders folders;
  private final HostTools tools;

  DkmsTools(AgentFolders folders, HostTools tools) {
    this.folders = folders;
    this.tools = tools;
  }

  DkmsStatus status(DkmsPackage dkmsPackage) {
    // an unknown package is no failure in some releases and one in others
    return DkmsStatus.parse(
        tools
            .run("dkms", "status", "-m", dkmsPackage.name(), "-v", dkmsPackage.version())
            .output());
  }

  /** A command that changes something; the result is to be looked for on the disk. */
  HostTools.Result run(String action, DkmsPackage dkmsPackage, String... more) {
    return locked(command(action, dkmsPackage, more));
  }

  /**
   * Builds anew. A build that was killed leaves a folder behind, which DKMS takes for a build; it
   * is removed only with the lock, because it may be that of a build that is under way.
   */
  HostTools.Result build(DkmsPackage dkmsPackage, String kernel, String arch) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "sh",
                "-c",
                "rm -rf \"$0\" && exec \"$@\"",
                built(Path.of(AgentFolders.HOST_DKMS), dkmsPackage, kernel, arch).toString()));
    words.addAll(command("build", dkmsPackage, "-k", kernel));
    return locked(words);
  }

  private static List<String> command(String action, DkmsPackage dkmsPackage, String... more) {
    List<String> words =
        new ArrayList<>(
            List.of("dkms", action, "-m", dkmsPackage.name(), "-v", dkmsPackage.version()));
    words.addAll(List.of(more));
    return words;
  }

  private HostTools.Result locked(List<String> command) {
    try {
      Files.createDirectories(folders.state());
    } catch (IOException failed) {
      throw new InstallFailure(
          FailureReason.HostToolFailed,
          "cannot make %s: %s".formatted(folders.state(), failed.getMessage()));
    }
    List<String> words =
        new ArrayList<>(
            List.of(
                "flock",
                "--nonblock",
                "--conflict-exit-code",
                Integer.toString(LOCKED),
                AgentFolders.HOST_STATE + "/lock"));
    words.addAll(command);
    HostTools.Result result = tools.run(HostTools.LONG, words);
    if (result.exitCode() == LOCKED) {
      throw new InstallFailure(
          FailureReason.Busy, "another dkms of the driver agent is still at work on this node");
    }
    return result;
  }

  /** The folder of what was built for a kernel. */
  Path built(DkmsPackage dkmsPackage, String kernel, String arch) {
    return built(folders.dkms(), dkmsPackage, kernel, arch);
  }

  private static Path built(Path tree, DkmsPackage dkmsPackage, String kernel, String arch) {
    return folder(tree, dkmsPackage).resolve(kernel).resolve(arch);
  }

  private static Path folder(Path tree, DkmsPackage dkmsPackage) {
    return tree.resolve(dkmsPackage.name()).resolve(dkmsPackage.version());
  }

  /** What the compiler said, as far as it is there. */
  List<String> log(DkmsPackage dkmsPackage, String kernel, String arch) {
    for (Path file :
        List.of(
            folder(folders.dkms(), dkmsPackage).resolve("build/make.log"),
            built(dkmsPackage, kernel, arch).resolve("log/make.log"))) {
      Optional<List<String>> lines = HostFile.text(file).map(text -> text.lines().toList());
      if (lines.isPresent()) {
        return lines.get();
      }
    }
    return List.of();
  }
}
