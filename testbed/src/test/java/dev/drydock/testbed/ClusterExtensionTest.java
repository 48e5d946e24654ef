package dev.drydock.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.testkit.engine.EventConditions.skippedWithReason;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Behaviour on a machine without Go and without the programs. */
class ClusterExtensionTest {
  private static final List<String> REPORTED = new ArrayList<>();
  private static final String HOW_TO_GET_THEM =
      "no Kubernetes programs and no Go to build them: install Go 1.26 or newer";

  /** Run only by the tests below: its name does not match the test name pattern. */
  static class Sample {
    @RegisterExtension static final ClusterExtension EXTENSION = extension(Map.of());

    @Test
    void needsACluster(ControlPlane cluster) {
      throw new AssertionError("must not run on " + cluster.server());
    }
  }

  static class OtherSample extends Sample {}

  static class SampleThatIsRequired {
    @RegisterExtension
    static final ClusterExtension EXTENSION = extension(Map.of("DRYDOCK_REQUIRE_CLUSTER", "true"));

    @Test
    void needsACluster(ControlPlane cluster) {
      throw new AssertionError("must not run on " + cluster.server());
    }
  }

  @Test
  void skipsWithOneLineThatSaysHowToGetThePrograms() {
    EngineExecutionResults results = run(Sample.class, OtherSample.class);

    results
        .containerEvents()
        .assertThatEvents()
        .haveExactly(2, skippedWithReason(reason -> reason.startsWith(HOW_TO_GET_THEM)));
    assertThat(results.testEvents().started().count()).isZero();
    assertThat(REPORTED)
        .singleElement()
        .asString()
        .startsWith("cluster tests are skipped: " + HOW_TO_GET_THEM);
  }

  @Test
  void failsWhenTheClusterIsRequired() {
    EngineExecutionResults results = run(SampleThatIsRequired.class);

    assertThat(results.containerEvents().failed().count()).isEqualTo(1);
    assertThat(results.containerEvents().skipped().count()).isZero();
    assertThat(results.testEvents().started().count()).isZero();
  }

  private static EngineExecutionResults run(Class<?>... samples) {
    REPORTED.clear();
    return EngineTestKit.engine("junit-jupiter")
        .selectors(
            Stream.of(samples).map(DiscoverySelectors::selectClass).toArray(ClassSelector[]::new))
        .execute();
  }

  private static ClusterExtension extension(Map<String, String> variables) {
    return new ClusterExtension(
        new Environment(variables, Path.of("target", "nowhere").toAbsolutePath()), REPORTED::add);
  }
}
