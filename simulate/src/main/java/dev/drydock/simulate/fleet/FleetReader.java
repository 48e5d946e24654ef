package dev.drydock.simulate.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;

/** Reads fleet files, YAML or JSON. */
public final class FleetReader {
  /** Enough for a large export; the library's default is three. */
  private static final int MOST_MEGABYTES = 512;

  private final List<String> problems = new ArrayList<>();
  private final String file;

  private FleetReader(String file) {
    this.file = file;
  }

  /**
   * The fleet in the file.
   *
   * @throws FleetMistakes with every mistake, a line each
   */
  public static Fleet read(Path file) {
    return new FleetReader(name(file)).fleet(content(file));
  }

  /** Reads a fleet from text; {@code name} appears in error messages. */
  public static Fleet read(String name, String text) {
    return new FleetReader(name).fleet(text);
  }

  /** A scenario file, or the scenario of a fleet file. */
  public static Scenario readScenario(Path file, Fleet fleet) {
    return new FleetReader(name(file)).scenario(content(file), fleet);
  }

  /** Whether it is a dash, which stands for standard input, as with kubectl. */
  public static boolean isStandardInput(Path file) {
    return file.toString().equals("-");
  }

  private static String name(Path file) {
    return isStandardInput(file) ? "standard input" : file.toString();
  }

  private static String content(Path file) {
    try {
      return isStandardInput(file)
          ? UTF_8.newDecoder().decode(ByteBuffer.wrap(System.in.readAllBytes())).toString()
          : Files.readString(file);
    } catch (NoSuchFileException none) {
      throw new FleetMistakes(name(file), List.of("no such file"));
    } catch (CharacterCodingException binary) {
      throw new FleetMistakes(name(file), List.of("is not a text file in UTF-8"));
    } catch (IOException unreadable) {
      throw new FleetMistakes(name(file), List.of("cannot be read: " + unreadable.getMessage()));
    }
  }

  private Fleet fleet(String text) {
    FieldReader fields = fields(text, Fleet.KIND, "seed", "pools", "workloads", "budgets");
    long seed = fields.number("seed", 1, 0, Long.MAX_VALUE);
    // consequences of another mistake are not reported: each mistake is one line
    int before = problems.size();
    List<Pool> pools = fields.objects("pools").stream().map(PoolFields::pool).toList();
    check(fields, pools);
    boolean poolsAreRight = problems.size() == before;
    before = problems.size();
    WorkloadFields reader =
        new WorkloadFields(poolsAreRight ? Optional.of(pools) : Optional.empty());
    List<Workload> workloads =
        fields.objects("workloads").stream()
            .flatMap(workload -> reader.workloads(workload).stream())
            .toList();
    BudgetFields guards =
        new BudgetFields(
            problems.size() == before ? Optional.of(reader.byName()) : Optional.empty());
    List<Budget> budgets =
        fields.objects("budgets").stream()
            .flatMap(budget -> guards.budgets(budget).stream())
            .toList();
    Fleet fleet = new Fleet(seed, pools, workloads, budgets, Scenario.NOTHING);
    Scenario scenario =
        ScenarioFields.scenario(fields, poolsAreRight ? Optional.of(fleet) : Optional.empty());
    fail();
    return fleet.with(scenario);
  }

  private Scenario scenario(String text, Fleet fleet) {
    FieldReader fields = fields(text, Fleet.SCENARIO_KIND);
    Scenario scenario = ScenarioFields.scenario(fields, Optional.of(fleet));
    fail();
    return scenario;
  }

  private void fail() {
    if (!problems.isEmpty()) {
      throw new FleetMistakes(file, problems);
    }
  }

  /** A file of another kind, or with other fields, contains nothing usable. */
  private FieldReader fields(String text, String kind, String... parts) {
    JsonNode root = tree(text);
    String beginning =
        "a %s file begins with apiVersion: %s and kind: %s"
            .formatted(kind.toLowerCase(Locale.ROOT), Fleet.API_VERSION, kind);
    if (!root.isObject()) {
      boolean empty = root.isMissingNode() || root.isNull();
      throw new FleetMistakes(
          file, List.of((empty ? "is empty; " : "has no fields; ") + beginning));
    }
    FieldReader fields = new FieldReader("", root, problems);
    List<String> missing =
        Stream.of("apiVersion", "kind").filter(name -> fields.text(name, "").isEmpty()).toList();
    for (String name : missing) {
      fields
          .insteadOf(name)
          .ifPresent(
              other ->
                  fields.problem(
                      other, "there is no such field; did you mean \"%s\"?".formatted(name)));
    }
    fail();
    if (!missing.isEmpty()) {
      throw new FleetMistakes(
          file,
          List.of(
              String.join(" and ", missing)
                  + (missing.size() == 1 ? " is" : " are")
                  + " missing; "
                  + beginning));
    }
    String version = fields.text("apiVersion", "");
    String given = fields.text("kind", "");
    if (!version.equals(Fleet.API_VERSION)) {
      fields.problem("apiVersion", "\"" + version + "\" should be " + Fleet.API_VERSION);
    } else if (!given.equals(kind)) {
      fields.problem("kind", "\"" + given + "\" should be " + kind);
    }
    Stream.concat(Stream.of(parts), Stream.of("scenario", "until")).forEach(fields::has);
    fields.refuseOthers();
    fail();
    return fields;
  }

  /** Names must be unique. */
  private void check(FieldReader fields, List<Pool> pools) {
    if (pools.isEmpty() && problems.stream().noneMatch(line -> line.startsWith("pools:"))) {
      fields.problem("pools", "is missing: a fleet has nodes");
    }
    Set<String> names = new HashSet<>();
    Set<String> nodes = new HashSet<>();
    for (int i = 0; i < pools.size(); i++) {
      Pool pool = pools.get(i);
      List<String> again =
          pool.nodes().stream().map(Pool.Node::name).filter(name -> !nodes.add(name)).toList();
      if (pool.name().isEmpty()) {
        continue; // already reported
      }
      if (!names.add(pool.name())) {
        problems.add("pools[" + i + "].name: \"" + pool.name() + "\" is the name of two pools");
      } else if (!again.isEmpty()) {
        problems.add(
            "pools[%d]: \"%s\"%s: a name of two nodes"
                .formatted(
                    i,
                    again.getFirst(),
                    again.size() == 1 ? "" : " and %d more".formatted(again.size() - 1)));
      }
    }
  }

  private JsonNode tree(String text) {
    try {
      return mapper(text).readTree(text);
    } catch (JsonProcessingException malformed) {
      throw new FleetMistakes(file, List.of(SyntaxMistake.line(malformed)));
    }
  }

  /** JSON is YAML too, but a JSON parser is much faster. */
  private static ObjectMapper mapper(String text) {
    if (text.stripLeading().startsWith("{")) {
      return JsonMapper.builder().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION).build();
    }
    LoaderOptions limits = new LoaderOptions();
    limits.setCodePointLimit(MOST_MEGABYTES << 20);
    YAMLFactory factory = YAMLFactory.builder().loaderOptions(limits).build();
    return new ObjectMapper(factory).enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
  }
}
