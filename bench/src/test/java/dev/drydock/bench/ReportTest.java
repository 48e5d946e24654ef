package dev.drydock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.cli.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ReportTest {
  @TempDir Path directory;

  private static final Benchmark BENCHMARK =
      new DrainBenchmark(
          "small", "a small one", new DrainScenario(1, 10), List.of(Goal.faster("small", 10)));

  @Test
  void aGoalIsReachedWhenTheMedianOfThePeerIsThatManyTimesOurs() {
    Result result = result(trial("kubectl", 1, 20), trial("drydock", 1, 2));

    Comparison row = compare(result, true).getFirst();

    assertThat(row.ratio()).isEqualTo(10);
    assertThat(row.reached()).isTrue();
    assertThat(row.missed()).isFalse();
  }

  @Test
  void mediansAreCompared() {
    Result result =
        result(
            trial("kubectl", 1, 20),
            trial("kubectl", 2, 21),
            trial("kubectl", 3, 100),
            trial("drydock", 1, 3),
            trial("drydock", 2, 1),
            trial("drydock", 3, 9));

    Comparison row = compare(result, true).getFirst();

    assertThat(row.theirs().median()).isEqualTo(21);
    assertThat(row.ours().median()).isEqualTo(3);
    assertThat(row.missed()).isTrue();
  }

  @Test
  void nothingIsMissedWhereNothingIsJudged() {
    Result result = result(trial("kubectl", 1, 1), trial("drydock", 1, 1));

    assertThat(compare(result, false)).noneMatch(Comparison::missed);
  }

  @Test
  void requestsPerPodAreThoseOfAllDrainsOfARoundTogether() {
    Trial many = new Trial("kubectl", 1, 20, new Trial.Usage(90, 20, 50), Map.of());
    Trial few = new Trial("kubectl", 1, 20, new Trial.Usage(10, 5, 60), Map.of());
    Result first = result(many, trial("drydock", 1, 1));
    Result second = result(few, trial("drydock", 1, 1));

    Comparison row =
        Report.compare(List.of(BENCHMARK, BENCHMARK), List.of(first, second), true).getLast();

    assertThat(row.name()).isEqualTo("requests per drained pod");
    assertThat(row.theirs().median()).isEqualTo(4.0);
    assertThat(row.ours().median()).isEqualTo(3.0);
    assertThat(row.missed()).isTrue();
  }

  @Test
  void anAbsoluteLimitDoesNotLookAtThePeer() {
    Goal.Limit limit = new Goal.AtMost(160, "MiB");

    assertThat(limit.reached(50, 160)).isTrue();
    assertThat(limit.reached(500, 161)).isFalse();
  }

  @Test
  void nothingAtAllIsInfinitelyBetterThanSomething() throws IOException {
    Report report = report(result(trial("kubectl", 1, 2), trial("drydock", 1, 0)));
    StringWriter out = new StringWriter();

    report.print(terminal(out));

    assertThat(out.toString()).contains(" 0 s ", " infinite ", "pass").doesNotContain("NaN");
    JsonNode row = written(report).path("comparisons").get(0);
    assertThat(row.path("ours").path("median").isNumber()).isTrue();
    assertThat(row.path("ratio").isNull()).isTrue();
    assertThat(row.path("ours").path("spread").isNull()).isTrue();
  }

  @Test
  void thePeerIsNamedWhereItIsNotKubectl() {
    Goal goal = new Goal("small", Goal.Figure.VALUE, Contestant.TICKS, new Goal.TimesBetter(1));
    Result result = result(trial(Contestant.TICKS, 1, 35.5), trial("drydock", 1, 0.5));
    StringWriter out = new StringWriter();

    report(List.of(Comparison.of(goal, result, "26 ms", true)), result).print(terminal(out));

    assertThat(out.toString()).contains("35.5 s (10s-ticks)", "0.500 s", "71.0", "26 ms");
  }

  private static Report report(Result result) {
    return report(compare(result, true), result);
  }

  private static Report report(List<Comparison> rows, Result result) {
    return new Report(Instant.EPOCH, 1, true, Map.of(), Map.of(), rows, List.of(result), null);
  }

  private static Terminal terminal(StringWriter out) {
    return Terminal.of(
        new CommandLine(new BenchCommand()).setOut(new PrintWriter(out)).getCommandSpec());
  }

  private JsonNode written(Report report) throws IOException {
    Path file = directory.resolve("report.json");
    report.write(file);
    return new ObjectMapper().readTree(file.toFile());
  }

  private static List<Comparison> compare(Result result, boolean judge) {
    return Report.compare(List.of(BENCHMARK), List.of(result), judge);
  }

  private static Result result(Trial... trials) {
    return new Result("small", "a small one", "s", true, null, List.of(trials));
  }

  private static Trial trial(String contestant, int round, double value) {
    return new Trial(contestant, round, value, new Trial.Usage(30, 10, 50), Map.of());
  }
}
