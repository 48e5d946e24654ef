package dev.drydock.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.drydock.kube.Kube;
import dev.drydock.kube.LoopFactory;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitectureTest {
  private static final String ROOT = "dev.drydock";
  private static final String BROKEN = "dev.drydock.dist.broken";

  private static final JavaClasses PRODUCT =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);
  private static final JavaClasses COUNTEREXAMPLES = new ClassFileImporter().importPackages(BROKEN);

  static Stream<Arguments> rules() {
    return named(ROOT);
  }

  static Stream<Arguments> rulesOfTheBrokenTree() {
    return named(BROKEN);
  }

  private static Stream<Arguments> named(String root) {
    Map<String, ArchRule> rules = new Architecture(root).rules();
    return rules.entrySet().stream().map(rule -> Arguments.of(rule.getKey(), rule.getValue()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rules")
  void holds(String name, ArchRule rule) {
    rule.check(PRODUCT);
  }

  /** A rule that cannot fail proves nothing. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("rulesOfTheBrokenTree")
  void failsWhereItIsBroken(String name, ArchRule rule) {
    assertThat(rule.evaluate(COUNTEREXAMPLES).hasViolation()).as(name).isTrue();
  }

  /** {@link LoopIsolationTest} searches sources by a pattern; it must miss none. */
  @Test
  void theLoopsFoundInSourcesAreThoseOfTheClasses() {
    Map<String, Integer> calls = new TreeMap<>();
    for (JavaClass each : PRODUCT) {
      int made =
          (int)
              each.getMethodCallsFromSelf().stream()
                  .filter(
                      call ->
                          call.getTargetOwner().isEquivalentTo(Kube.class)
                              || call.getTargetOwner().isEquivalentTo(LoopFactory.class))
                  .filter(call -> Set.of("loop", "loops").contains(call.getName()))
                  .count();
      if (made > 0) {
        calls.merge(outermost(each), made, Integer::sum);
      }
    }
    Map<String, Integer> found = LoopIsolationTest.countsInSources();
    // the kit's own methods call each other; its only loop is that of the resync
    calls.put(Kube.class.getName(), 1);
    calls.remove(LoopFactory.class.getName());

    assertThat(found).isEqualTo(calls).hasSizeGreaterThan(20);
  }

  private static String outermost(JavaClass of) {
    return of.getEnclosingClass().map(ArchitectureTest::outermost).orElse(of.getName());
  }

  @Test
  void theClassesOfTheModulesAreAmongThoseChecked() {
    assertThat(PRODUCT.contain("dev.drydock.app.Drydock")).isTrue();
    assertThat(PRODUCT.contain("dev.drydock.cli.CommandRunner")).isTrue();
    assertThat(PRODUCT.contain("dev.drydock.sim.SimulatedApiServer")).isTrue();
  }
}
