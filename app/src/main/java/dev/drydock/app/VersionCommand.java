package dev.drydock.app;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.DrydockCommand;
import dev.drydock.cli.ExitCode;
import dev.drydock.cli.OutputOption;
import dev.drydock.cli.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code drydock version}: the version of this program. Contacts no cluster; {@code drydock check}
 * does.
 */
@Command(
    name = "version",
    addMethodSubcommands = false,
    description = "Print the version of drydock.")
public final class VersionCommand implements DrydockCommand {
  /**
   * @param commit of the sources; {@code unknown} if the build was not told
   */
  record Version(String version, String commit, String java, String platform) {}

  @Spec private @Nullable CommandSpec spec;
  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    Properties build = read();
    Version version =
        new Version(
            build.getProperty("version"),
            build.getProperty("commit"),
            Runtime.version().toString(),
            System.getProperty("os.name").toLowerCase(Locale.ROOT)
                + "/"
                + System.getProperty("os.arch"));
    output.print(
        terminal,
        version,
        wide -> {
          terminal.out().println("Client Version: v" + version.version());
          if (wide) {
            terminal.out().println("Commit: " + version.commit());
            terminal.out().println("Java Version: " + version.java());
            terminal.out().println("Platform: " + version.platform());
          }
        });
    return ExitCode.OK;
  }

  private static Properties read() {
    try (InputStream in = VersionCommand.class.getResourceAsStream("version.properties")) {
      Properties properties = new Properties();
      properties.load(requireNonNull(in));
      return properties;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
