package dev.drydock.testbed.realkubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.testkit.engine.EventConditions.skippedWithReason;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Behaviour on a machine that cannot run containers. */
class RealKubeletExtensionTest {
  private static final List<String> REPORTED = new ArrayList<>();

  /** Run only by the tests below: its name does not match the test name pattern. */
  static class Sample {
    @RegisterExtension static final RealKubeletExtension EXTENSION = extension(false);

    @Test
    void needsContainers(RealKubelet kubelet) {
      throw new AssertionError("must not run on " + kubelet.nodeName());
    }
  }

  static class OtherSample extends Sample {}

  static class SampleThatIsRequired {
    @RegisterExtension static final RealKubeletExtension EXTENSION = extension(true);

    @Test
    void needsContainers(RealKubelet kubelet) {
      throw new AssertionError("must not run on " + kubelet.nodeName());
    }
  }

  @Test
  void skipsWithOneLineThatSaysWhy() {
    EngineExecutionResults results = run(Sample.class, OtherSample.class);

    results.containerEvents().assertThatEvents().haveExactly(2, skippedWithReason("not here"));
    assertThat(results.testEvents().started().count()).isZero();
    assertThat(REPORTED).containsExactly("tests with real containers are skipped: not here");
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

  private static RealKubeletExtension extension(boolean required) {
    return new RealKubeletExtension(() -> Optional.of("not here"), required, REPORTED::add);
  }
}
