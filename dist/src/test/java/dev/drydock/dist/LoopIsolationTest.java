package dev.drydock.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every control loop has a test in which one of its objects meets a bug: the others are served, the
 * bug is counted and shown, and the object is served once it is mended.
 */
class LoopIsolationTest {
  /** Loops without objects of their own, and why a bug in them needs no such test. */
  private static final Map<String, String> EXCEPTIONS =
      Map.of(
          "follower", "belongs to a command, which ends with the failure",
          "resync", "only wakes the other loops; it reads and writes nothing");

  /** The call by which a loop gets its name. */
  private static final Pattern LOOP =
      Pattern.compile("\\.?\\bloops?\\(\\s*(?:\"(?<name>[^\"]*)\"|(?<constant>[A-Z_]+))\\s*,");

  private static final Pattern CONSTANT =
      Pattern.compile("static final String (?<constant>[A-Z_]+) = \"(?<name>[^\"]*)\";");

  /** The one way to test it. */
  private static final Pattern PROOF = Pattern.compile("\\.staysIn\\(\\s*\"(?<name>[^\"]*)\"\\s*,");

  /** The sources of all modules, by file. */
  private static Map<String, String> sources(String kind) {
    Map<String, String> sources = new TreeMap<>();
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      for (Path module : modules.toList()) {
        Path folder = module.resolve("src").resolve(kind);
        if (Files.isDirectory(folder)) {
          read(folder, sources);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return sources;
  }

  private static void read(Path folder, Map<String, String> sources) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        sources.put(file.toString(), Files.readString(file));
      }
    }
  }

  private static List<String> names(String source) {
    Map<String, String> constants =
        CONSTANT
            .matcher(source)
            .results()
            .collect(
                Collectors.toMap(found -> found.group("constant"), found -> found.group("name")));
    return LOOP.matcher(source).results().map(found -> name(found, constants)).toList();
  }

  private static String name(MatchResult found, Map<String, String> constants) {
    String literal = found.group("name");
    return literal == null ? String.valueOf(constants.get(found.group("constant"))) : literal;
  }

  private static Set<String> loops() {
    return sources("main").values().stream()
        .map(LoopIsolationTest::names)
        .flatMap(Collection::stream)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void everyLoopHasATestOfABug() {
    Set<String> proven =
        sources("test").values().stream()
            .flatMap(source -> PROOF.matcher(source).results().map(found -> found.group("name")))
            .collect(Collectors.toCollection(TreeSet::new));
    proven.addAll(EXCEPTIONS.keySet());

    assertThat(proven)
        .as("loops with a test that calls LoopBug.staysIn, against loops in main code")
        .isEqualTo(loops());
  }

  @Test
  void namesAreWordsWithHyphensAsTheyAreLabelsOfMetrics() {
    assertThat(loops()).allMatch(name -> name.matches("[a-z]+(-[a-z]+)*"));
  }

  /** How many loops the source of a class makes, by the name of the class. */
  static Map<String, Integer> countsInSources() {
    Map<String, Integer> counts = new TreeMap<>();
    sources("main")
        .forEach(
            (file, source) -> {
              int found = names(source).size();
              if (found > 0) {
                counts.put(
                    file.replaceAll(".*/src/main/java/|\\.java$", "").replace('/', '.'), found);
              }
            });
    return counts;
  }
}
