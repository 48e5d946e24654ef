package dev.drydock.app.fleet;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;

/** Reads fleet files, YAML or JSON. */
public final class FleetReader {
  /** Of a large export; the library's own limit is three. */
  private static final int MOST_MEGABYTES = 512;

  private final List<String> problems = new ArrayList<>();
  private final String file;

  private FleetReader(String file) {
    this.file = file;
  }

  /**
   * The fleet that stands in the file.
   *
   * @throws FleetMistakes with every mistake, a line each
   */
  public static Fleet read(Path file) {
    return new FleetReader(file.toString()).fleet(content(file));
  }

  /** The same from text; {@code name} is what mistakes are told with. */
  public static Fleet read(String name, String text) {
    return new FleetReader(name).fleet(text);
  }

  /** A scenario alone, or that of a fleet file. */
  public static Scenario readScenario(Path file, Fleet fleet) {
    return new FleetReader(file.toString()).scenario(content(file), fleet);
  }

  private static String content(Path file) {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException none) {
      throw new FleetMistakes(file.toString(), List.of("no such file"));
    } catch (CharacterCodingException binary) {
      throw new FleetMistakes(file.toString(), List.of("is not a text file in UTF-8"));
    } catch (IOException unreadable) {
      throw new FleetMistakes(
          file.toString(), List.of("cannot be read: " + unreadable.getMessage()));
    }
  }

  private Fleet fleet(String text) {
    Fields fields = new Fields("", tree(text), problems);
    header(fields, List.of(Fleet.KIND));
    long seed = fields.number("seed", 1, 0, Long.MAX_VALUE);
    List<Pool> pools = fields.objects("pools").stream().map(PoolFields::pool).toList();
    Map<String, List<Workload>> named = new HashMap<>();
    List<Workload> workloads =
        fields.objects("workloads").stream()
            .flatMap(workload -> WorkloadFields.workloads(workload, named).stream())
            .toList();
    List<Budget> budgets =
        fields.objects("budgets").stream()
            .flatMap(budget -> BudgetFields.budgets(budget, named).stream())
            .toList();
    Fleet fleet = new Fleet(seed, pools, workloads, budgets, Scenario.NOTHING);
    Scenario scenario = ScenarioFields.scenario(fields, fleet);
    fields.refuseOthers();
    if (pools.isEmpty() && problems.isEmpty()) {
      fields.problem("pools", "is missing: a fleet has nodes");
    }
    check(fleet);
    fail();
    return fleet.with(scenario);
  }

  private Scenario scenario(String text, Fleet fleet) {
    Fields fields = new Fields("", tree(text), problems);
    header(fields, List.of(Fleet.SCENARIO_KIND));
    Scenario scenario = ScenarioFields.scenario(fields, fleet);
    fields.refuseOthers();
    fail();
    return scenario;
  }

  private void fail() {
    if (!problems.isEmpty()) {
      throw new FleetMistakes(file, problems);
    }
  }

  private void header(Fields fields, List<String> kinds) {
    String version = fields.required("apiVersion");
    if (!version.isEmpty() && !version.equals(Fleet.API_VERSION)) {
      fields.problem("apiVersion", "\"" + version + "\" should be " + Fleet.API_VERSION);
    }
    String kind = fields.required("kind");
    if (!kind.isEmpty() && !kinds.contains(kind)) {
      fields.problem("kind", "\"" + kind + "\" should be " + String.join(" or ", kinds));
    }
    fail(); // a file of another kind has nothing that makes sense here
  }

  /** What can only be said of the whole: names are told apart, and what is named exists. */
  private void check(Fleet fleet) {
    Set<String> pools = new HashSet<>();
    Set<String> nodes = new HashSet<>();
    for (int i = 0; i < fleet.pools().size(); i++) {
      Pool pool = fleet.pools().get(i);
      if (!pools.add(pool.name())) {
        problems.add("pools[" + i + "].name: \"" + pool.name() + "\" is the name of two pools");
      }
      for (Pool.Node node : pool.nodes()) {
        if (!nodes.add(node.name())) {
          problems.add("pools[" + i + "]: \"" + node.name() + "\" is the name of two nodes");
        }
      }
    }
    Set<String> workloads = new HashSet<>();
    for (int i = 0; i < fleet.workloads().size(); i++) {
      Workload workload = fleet.workloads().get(i);
      String at = "workloads[" + i + "]";
      if (!workloads.add(workload.kind() + " " + workload)) {
        problems.add(at + ".name: \"" + workload + "\" is the name of two workloads");
      }
      workload.where().pools().stream()
          .filter(pool -> !pools.contains(pool))
          .forEach(pool -> problems.add(at + ".pools: there is no pool \"" + pool + "\""));
      workload.where().placed().keySet().stream()
          .filter(node -> !nodes.contains(node))
          .forEach(node -> problems.add(at + ".placed: there is no node \"" + node + "\""));
    }
    Set<String> budgets = new HashSet<>();
    for (int i = 0; i < fleet.budgets().size(); i++) {
      Budget budget = fleet.budgets().get(i);
      String name = budget.namespace() + "/" + budget.name();
      if (!budgets.add(name)) {
        problems.add("budgets[" + i + "].name: \"" + name + "\" is the name of two budgets");
      }
    }
  }

  private JsonNode tree(String text) {
    try {
      return mapper(text).readTree(text);
    } catch (JsonProcessingException malformed) {
      String where =
          malformed.getLocation() == null
              ? ""
              : "line " + malformed.getLocation().getLineNr() + ": ";
      String what = String.valueOf(malformed.getOriginalMessage()).lines().findFirst().orElse("");
      throw new FleetMistakes(file, List.of(where + what));
    }
  }

  /** JSON is YAML too, but read much faster as what it is. */
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
