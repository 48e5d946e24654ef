package dev.drydock.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.app.Drydock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Pages that were cut or moved lose neither their links nor the flags that only they describe. */
class DocumentationTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

  static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    pages.add(ROOT.resolve("CHANGELOG.md"));
    return pages;
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyLinkLeadsSomewhere(Path page) throws IOException {
    for (String link : links(Files.readString(page))) {
      String[] parts = link.split("#", 2);
      Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
      assertThat(target).as("%s in %s", link, page).exists();
      if (parts.length == 2 && target.toString().endsWith(".md")) {
        assertThat(anchors(Files.readString(target))).as(page.toString()).contains(parts[1]);
      }
    }
  }

  private static List<String> links(String page) {
    return LINK.matcher(page)
        .results()
        .map(link -> link.group(1))
        .filter(link -> !link.contains("://"))
        .toList();
  }

  private static List<String> anchors(String page) {
    return page.lines()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
        .map(line -> line.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"driver-agent", "device-plugin", "retry-handler", "metrics-exporter"})
  void everyFlagOfAProgramOnCxiNodesIsDescribed(String program) throws IOException {
    String page = Files.readString(ROOT.resolve("docs").resolve("slingshot-nodes.md"));
    CommandLine command = subcommand(subcommand(Drydock.commandLine(), "cxi"), program);

    assertThat(command.getCommandSpec().options())
        .filteredOn(flag -> !flag.hidden() && !flag.usageHelp())
        .extracting(OptionSpec::longestName)
        .filteredOn(name -> !page.contains(name))
        .isEmpty();
  }

  private static CommandLine subcommand(CommandLine command, String name) {
    return Objects.requireNonNull(command.getSubcommands().get(name), name);
  }
}
