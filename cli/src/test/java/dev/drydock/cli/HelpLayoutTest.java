package dev.drydock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Option;

class HelpLayoutTest {
  @Command(
      name = "ship",
      description = {
        "Loads what is in the folder of the harbour, for example from /var/lib/harbour/load.json.",
        "  crane: lifts what is named, and puts it where the next crane can reach it again."
      })
  @SuppressWarnings("UnusedVariable") // picocli reads them
  private static final class Ship {
    @Option(
        names = "--cargo",
        paramLabel = "FILE",
        description = "What is loaded, as a list. Default: here, /etc/harbour/cargo.yaml.")
    private String cargo = "";

    @Option(
        names = "--harbour-address",
        arity = "0..1",
        paramLabel = "[HOST]:PORT",
        description = "Where: /var/run/secrets/harbour.example/connector-of-ships/token.")
    private String address = "";

    @Option(
        names = "--fast-unloading",
        arity = "0..1",
        paramLabel = "true|false",
        description = "Fast.")
    private boolean fast;
  }

  @Test
  void linesEndAtSpacesAndOnlyWordsThatAreTooLongGoOn() {
    CommandLine line =
        new CommandLine(new Ship()).setHelpFactory(HelpLayout::new).setUsageHelpWidth(80);

    assertThat(line.getUsageMessage(Ansi.OFF).lines())
        .containsExactly(
            "Usage: ship [--fast-unloading[=true|false]] [--harbour-address[=[HOST]:PORT]]",
            "            [--cargo=FILE]",
            "Loads what is in the folder of the harbour, for example from",
            "/var/lib/harbour/load.json.",
            "  crane: lifts what is named, and puts it where the next crane can reach it",
            "    again.",
            "      --cargo=FILE   What is loaded, as a list. Default: here,",
            "                       /etc/harbour/cargo.yaml.",
            "      --fast-unloading[=true|false]",
            "                     Fast.",
            "      --harbour-address[=[HOST]:PORT]",
            "                     Where:",
            "                       /var/run/secrets/harbour.example/connector-of-ships/",
            "                       token.");
  }
}
