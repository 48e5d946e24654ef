package dev.drydock.slingshot.driver.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.slingshot.driver.decide.DkmsDecision.Build;
import dev.drydock.slingshot.driver.decide.DkmsDecision.Sources;
import dev.drydock.slingshot.driver.decide.DkmsDecision.Step;
import dev.drydock.slingshot.driver.decide.DkmsStatus.State;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class DkmsDecisionTest {
  static List<DkmsDecision> all() {
    List<DkmsDecision> all = new ArrayList<>();
    for (Sources sources : Sources.values()) {
      for (State state : State.values()) {
        for (Build build : Build.values()) {
          for (boolean cached : new boolean[] {false, true}) {
            for (boolean headers : new boolean[] {false, true}) {
              for (boolean inPlace : new boolean[] {false, true}) {
                all.add(new DkmsDecision(sources, state, build, cached, headers, inPlace));
              }
            }
          }
        }
      }
    }
    return all;
  }

  /** What a step leads to, if the tools do what they should. */
  private static DkmsDecision after(DkmsDecision now, Step step) {
    return switch (step) {
      case FETCH ->
          new DkmsDecision(
              Sources.READY, now.state(), now.build(), now.cached(), now.headers(), now.inPlace());
      case ADD ->
          new DkmsDecision(
              now.sources(), State.ADDED, now.build(), now.cached(), now.headers(), now.inPlace());
      case RESTORE, BUILD ->
          new DkmsDecision(
              now.sources(),
              now.state() == State.ADDED ? State.BUILT : now.state(),
              Build.VERIFIED,
              true,
              now.headers(),
              false);
      case INSTALL ->
          // it may be refused without a word
          new DkmsDecision(
              now.sources(), State.DIFFERS, now.build(), now.cached(), now.headers(), false);
      case FORCE ->
          new DkmsDecision(
              now.sources(), State.INSTALLED, now.build(), now.cached(), now.headers(), true);
      case NEEDS_HEADERS, DONE -> now;
    };
  }

  @ParameterizedTest
  @MethodSource("all")
  void everyStateLeadsToTheEndWithoutAStepTwice(DkmsDecision start) {
    DkmsDecision at = start;
    Set<Step> done = new HashSet<>();
    Step next = at.next();
    while (next != Step.DONE && next != Step.NEEDS_HEADERS) {
      assertThat(done.add(next)).as("%s after %s", next, done).isTrue();
      at = after(at, next);
      next = at.next();
    }
    if (next == Step.NEEDS_HEADERS) {
      assertThat(start.headers()).isFalse();
    } else {
      assertThat(at.state()).isEqualTo(State.INSTALLED);
      assertThat(at.build()).isEqualTo(Build.VERIFIED);
      assertThat(at.inPlace()).isTrue();
    }
  }

  @Test
  void onlyWhatIsVerifiedAndInPlaceIsDone() {
    assertThat(all())
        .filteredOn(each -> each.next() == Step.DONE)
        .allSatisfy(
            each -> {
              assertThat(each.state()).isEqualTo(State.INSTALLED);
              assertThat(each.build()).isEqualTo(Build.VERIFIED);
              assertThat(each.inPlace()).isTrue();
              assertThat(each.sources()).isNotEqualTo(Sources.OTHER);
            });
  }

  @Test
  void nothingIsBuiltTwiceNorWithoutHeaders() {
    assertThat(all())
        .filteredOn(each -> each.next() == Step.BUILD)
        .allSatisfy(
            each -> {
              assertThat(each.cached()).isFalse();
              assertThat(each.headers()).isTrue();
              assertThat(each.build()).isNotEqualTo(Build.VERIFIED);
              assertThat(each.sources()).isEqualTo(Sources.READY);
            });
  }

  static Stream<String> outputs() {
    return Stream.of(
        "cxi-driver/1.8.3, 6.1.0-55-amd64, x86_64: installed",
        "cxi-driver, 1.8.3, 6.1.0-55-amd64, x86_64: installed",
        "cxi-driver/1.8.3, 6.1.0-55-amd64, x86_64: installed (original_module exists)");
  }

  private static final DkmsPackage DRIVER = new DkmsPackage("cxi-driver", "1.8.3");

  @ParameterizedTest
  @MethodSource("outputs")
  void statusLinesOfAllReleasesAreRead(String line) {
    DkmsStatus status = DkmsStatus.parse("Deprecated feature: REMAKE_INITRD\n" + line + "\n");
    assertThat(status.of(DRIVER, "6.1.0-55-amd64")).isEqualTo(State.INSTALLED);
    assertThat(status.of(DRIVER, "6.1.0-56-amd64")).isEqualTo(State.ADDED);
    assertThat(status.of(new DkmsPackage("cxi-driver", "1.8"), "6.1.0-55-amd64"))
        .isEqualTo(State.ABSENT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cxi-driver/1.8.3: added | ADDED",
        "cxi-driver/1.8.3, k, x86_64: built | BUILT",
        "cxi-driver/1.8.3, k, x86_64: installed (WARNING! Diff between built and installed module!) | DIFFERS",
        "cxi-driver/1.8.3, k, x86_64: broken | ABSENT",
        "Error! Could not locate dkms.conf file. | ABSENT"
      })
  void aWarningIsNotIgnored(String line, State state) {
    assertThat(DkmsStatus.parse(line).of(DRIVER, "k")).isEqualTo(state);
  }

  @Test
  void aConfigurationNamesItsPackage() {
    assertThat(DkmsPackage.read("PACKAGE_NAME=\"cxi-driver\"\nPACKAGE_VERSION=1.8.3\n"))
        .contains(DRIVER);
    assertThat(DkmsPackage.read("PACKAGE_NAME='a'\n# no version\n")).isEmpty();
    assertThat(DkmsPackage.read("PACKAGE_NAME=\"$(id)\"\nPACKAGE_VERSION=1\n")).isEmpty();
    assertThat(DkmsPackage.read("PACKAGE_NAME=../x\nPACKAGE_VERSION=1\n")).isEmpty();
  }

  @Test
  void placeholdersOfTemplatesAreFilled() {
    assertThat(DRIVER.fill("N=@PACKAGE_NAME@ V=@PACKAGE_VERSION@ A=@SHS_DKMS_AUX_DIR@"))
        .isEqualTo("N=cxi-driver V=1.8.3 A=/etc/shs-dkms");
  }
}
