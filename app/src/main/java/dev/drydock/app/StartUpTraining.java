package dev.drydock.app;

import java.io.PrintWriter;
import java.io.Writer;
import picocli.CommandLine;

/**
 * What the launcher runs once, after a build, so that the JVM's ahead-of-time cache holds the
 * classes that commands need. Prints nothing and contacts nobody.
 */
final class StartUpTraining {
  private StartUpTraining() {}

  public static void main(String[] none) {
    for (String words :
        new String[] {
          "version", "version -o yaml", "version -o json", "--help", "__complete ver", "nonsense"
        }) {
      String[] arguments = words.split(" ");
      CommandLine line = Drydock.commandLine(arguments);
      line.setOut(new PrintWriter(Writer.nullWriter()));
      line.setErr(new PrintWriter(Writer.nullWriter()));
      var _ = line.execute(arguments);
    }
  }
}
