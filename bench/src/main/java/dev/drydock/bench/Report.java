package dev.drydock.bench;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.drydock.cli.Table;
import dev.drydock.cli.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The complete result of a run: the machine, the rows, and all trials behind them. */
record Report(
    Instant started,
    int rounds,
    boolean judged,
    Map<String, String> machine,
    Map<String, String> versions,
    List<Comparison> comparisons,
    List<Result> results,
    @Nullable String failure) {
  private static final double REQUESTS_RATIO = 2;

  /** The rows of all results, and last the requests over all completed drains. */
  static List<Comparison> compare(List<Benchmark> benchmarks, List<Result> results, boolean judge) {
    List<Comparison> rows = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      Result result = results.get(i);
      Benchmark benchmark = benchmarks.get(i);
      benchmark
          .goals()
          .forEach(goal -> rows.add(Comparison.of(goal, result, benchmark.anchor(), judge)));
    }
    Comparison requests = requests(results, judge);
    if (requests != null) {
      rows.add(requests);
    }
    return rows;
  }

  private static @Nullable Comparison requests(List<Result> results, boolean judge) {
    List<Trial> theirs = roundsOf(Contestant.KUBECTL, results);
    List<Trial> ours = roundsOf(Contestant.DRYDOCK, results);
    if (theirs.isEmpty() || ours.isEmpty()) {
      return null;
    }
    Result all = new Result("requests", "", "per pod", true, null, concat(theirs, ours));
    return Comparison.of(Goal.faster("requests per drained pod", REQUESTS_RATIO), all, "", judge);
  }

  /** One round of all benchmarks combined: all requests over all pods. */
  private static List<Trial> roundsOf(String contestant, List<Result> results) {
    Map<Integer, Trial.Usage> usages = new TreeMap<>();
    for (Result result : results) {
      if (result.completesDrains()) {
        result
            .trialsOf(contestant)
            .forEach(trial -> usages.merge(trial.round(), trial.usage(), Trial.Usage::plus));
      }
    }
    return usages.entrySet().stream()
        .map(
            round ->
                new Trial(
                    contestant,
                    round.getKey(),
                    round.getValue().requestsPerPod(),
                    round.getValue(),
                    Map.of()))
        .toList();
  }

  private static List<Trial> concat(List<Trial> first, List<Trial> second) {
    List<Trial> both = new ArrayList<>(first);
    both.addAll(second);
    return both;
  }

  boolean missed() {
    return comparisons.stream().anyMatch(Comparison::missed);
  }

  void write(Path file) throws IOException {
    ObjectMapper json =
        new ObjectMapper()
            .registerModule(new JavaTimeModule())
            .registerModule(
                new SimpleModule()
                    .addSerializer(double.class, new NumberOrNull())
                    .addSerializer(Double.class, new NumberOrNull()))
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);
    Files.writeString(file, json.writerWithDefaultPrettyPrinter().writeValueAsString(this) + "\n");
  }

  void print(Terminal terminal) {
    Table table =
        new Table(
            "BENCHMARK",
            "PEER",
            "DRYDOCK",
            "SPREAD",
            "RATIO",
            "REQUIRED",
            "RESULT",
            "REQUESTS/POD",
            "MEMORY MIB",
            "FLOOR",
            "ANCHOR");
    for (Comparison row : comparisons) {
      table.row(
          row.name(),
          figure(row.theirs().median()) + " " + row.unit() + peer(row.theirs().contestant()),
          figure(row.ours().median()) + " " + row.unit(),
          pair("%.0f%%", 100 * row.theirs().spread(), 100 * row.ours().spread()),
          ratio(row.ratio()),
          row.required(),
          row.reached() == null ? "not judged" : row.reached() ? "pass" : "FAIL",
          pair("%.1f", row.theirs().requestsPerPod(), row.ours().requestsPerPod()),
          pair("%.0f", row.theirs().memoryMib(), row.ours().memoryMib()),
          row.floor() == null ? "" : figure(row.floor()) + " " + row.unit(),
          row.anchor());
    }
    table.print(terminal);
  }

  private static String peer(String name) {
    return name.equals(Contestant.KUBECTL) ? "" : " (" + name + ")";
  }

  /** If ours is zero and theirs is not, there is no ratio. */
  private static String ratio(double value) {
    return value == Double.POSITIVE_INFINITY ? "infinite" : format("%.1f", value);
  }

  private static String figure(double value) {
    return format(value == Math.rint(value) ? "%.0f" : value < 10 ? "%.3f" : "%.1f", value);
  }

  private static String pair(String format, double theirs, double ours) {
    return format(format, theirs) + " / " + format(format, ours);
  }

  private static String format(String format, double value) {
    return Double.isFinite(value) ? format.formatted(value) : "-";
  }

  /** A value that is not a number, such as a ratio to zero, is null in JSON. */
  private static final class NumberOrNull extends JsonSerializer<Double> {
    @Override
    public void serialize(Double value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      if (Double.isFinite(value)) {
        json.writeNumber(value);
      } else {
        json.writeNull();
      }
    }
  }
}
