package dev.drydock.slingshot.driver;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.slingshot.driver.decide.DriverTarget;
import dev.drydock.slingshot.node.HostRoots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An agent's install as a process of its own, which can be killed. */
final class InstallProgram {
  private InstallProgram() {}

  static Process start(RealDkms dkms, DriverTarget target, Path folder) throws IOException {
    Path file = folder.resolve("target.json");
    Files.writeString(file, new ObjectMapper().writeValueAsString(target));
    List<String> words =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                InstallProgram.class.getName(),
                dkms.root().toString(),
                file.toString(),
                dkms.headedKernel(),
                folder.toString()));
    words.addAll(dkms.command().words());
    return new ProcessBuilder(words)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("agent.log").toFile())
        .start();
  }

  /** Arguments: root, target, kernel, folder, and the words before programs of the host. */
  public static void main(String[] arguments) throws IOException {
    Path root = Path.of(arguments[0]);
    DriverTarget target =
        new ObjectMapper().readValue(Path.of(arguments[1]).toFile(), DriverTarget.class);
    HostCommand command = HostCommand.words(List.of(arguments).subList(4, arguments.length));
    AgentFolders folders = AgentFolders.below(root, HostRoots.below(root));
    var _ =
        new DriverInstaller(
                folders, new ProcessTools(command, Path.of(arguments[3])), new SourceDownload())
            .install(target, arguments[2], _ -> {});
  }
}
