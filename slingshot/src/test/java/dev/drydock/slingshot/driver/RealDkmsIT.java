package dev.drydock.slingshot.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.slingshot.driver.decide.DkmsStatus;
import dev.drydock.slingshot.driver.decide.DriverTarget;
import dev.drydock.slingshot.driver.decide.FailureReason;
import dev.drydock.testbed.CommandResult;
import dev.drydock.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Drivers are installed and replaced by a real DKMS; every state is verified by the files' content.
 */
class RealDkmsIT extends RealDkmsCase {
  @Test
  void aDriverIsInstalledUpgradedAndPutBack() throws IOException {
    DriverTarget first = sources.driver("1.0.0");
    install(first);
    assertInstalled("1.0.0");
    assertThat(verbs()).containsExactly("fetch", "add", "build", "install", "verify");

    // again: nothing is done
    install(first);
    assertThat(verbs()).containsExactly("verify");

    // DKMS leaves the file of another version in place and says nothing about it
    DriverTarget second = sources.driver("2.0.0");
    install(second);
    assertInstalled("2.0.0");
    assertThat(verbs()).containsExactly("fetch", "add", "build", "install", "force", "verify");

    String before = inPlace("cxi-ss1", kernel);
    CommandResult downgrade =
        dkms.run("dkms", "install", "-m", "cxi-driver", "-v", "1.0.0", "-k", kernel);
    assertThat(downgrade.succeeded()).as(downgrade.toString()).isTrue();
    assertThat(inPlace("cxi-ss1", kernel)).as("it was refused").isEqualTo(before);
    assertThat(state("1.0.0")).isEqualTo(DkmsStatus.State.DIFFERS);

    // an upgrade to other sources of the same version builds them, and not the old ones again
    DriverTarget other = sources.driver("2.0.0", "other-source", "");
    install(other);
    assertInstalled("2.0.0");
    assertThat(verbs()).containsExactly("fetch", "build", "install", "force", "verify");
    assertThat(inPlace("cxi-ss1", kernel)).isNotEqualTo(before);

    // the way back builds nothing
    install(first);
    assertInstalled("1.0.0");
    assertThat(verbs()).containsExactly("install", "force", "verify");
    assertThat(Stream.of(folder.toFile().list()).filter(name -> name.startsWith("tool"))).isEmpty();

    // nothing of it is on this machine
    assertThat(Path.of("/usr/src/cxi-driver-1.0.0")).doesNotExist();
    assertThat(Path.of("/var/lib/dkms/cxi-driver")).doesNotExist();
  }

  @Test
  void aDriverThatDoesNotCompileLeavesTheOneBeforeInPlace() throws IOException {
    install(sources.driver("1.0.0"));
    String before = inPlace("cxi-ss1", kernel);
    DriverTarget broken = sources.driver("3.0.0", "broken", "#error \"does not compile\"\n");
    assertThatThrownBy(() -> install(broken))
        .isInstanceOfSatisfying(
            InstallFailure.class,
            failure -> {
              assertThat(failure.reason()).isEqualTo(FailureReason.BuildFailed);
              assertThat(failure.at("build").log())
                  .hasSizeLessThanOrEqualTo(40)
                  .anyMatch(line -> line.contains("does not compile"));
            })
        .hasMessageContaining("failed with exit code 10");
    assertThat(state("3.0.0")).isEqualTo(DkmsStatus.State.ADDED);
    assertThat(inPlace("cxi-ss1", kernel)).isEqualTo(before);
    assertInstalled("1.0.0");
  }

  @Test
  void anAgentThatIsKilledInTheMiddleOfABuildGoesOn() throws Exception {
    Path held = ModuleSources.Point.BEGUN.file(dkms);
    Files.createFile(held);
    DriverTarget target = sources.driver("1.0.0");
    Process agent = InstallProgram.start(dkms, target, folder);
    Eventually.inRealTime().until(() -> Files.exists(ModuleSources.Point.BEGUN.reached(dkms)));
    agent.destroyForcibly();
    assertThat(agent.waitFor()).isNotZero();
    assertThat(state("1.0.0")).isEqualTo(DkmsStatus.State.ADDED);

    // what it started is still at work, and is not disturbed
    assertThatThrownBy(() -> install(target))
        .isInstanceOfSatisfying(
            InstallFailure.class,
            failure -> assertThat(failure.reason()).isEqualTo(FailureReason.Busy));
    Files.delete(held);
    Eventually.inRealTime().until(() -> state("1.0.0") == DkmsStatus.State.BUILT);
    Eventually.inRealTime()
        .untilAsserted(
            () ->
                assertThat(dkms.run("flock", "-n", "/var/lib/cxi-driver/lock", "true").succeeded())
                    .isTrue());
    // nobody knows whether that build is complete
    install(target);
    assertThat(verbs()).containsExactly("build", "install", "verify");
    assertInstalled("1.0.0");
  }

  /** Two agents never build at once, and none touches what the other one is building. */
  @Test
  void aBuildHoldsTheLockUntilItEnds() throws Exception {
    Path held = ModuleSources.Point.BUILT.file(dkms);
    Files.createFile(held);
    DriverTarget target = sources.driver("1.0.0");
    Process first = InstallProgram.start(dkms, target, folder);
    Eventually.inRealTime().until(() -> Files.exists(ModuleSources.Point.BUILT.reached(dkms)));
    String core = built("1.0.0", "cxi-ss1");

    assertThatThrownBy(() -> install(target))
        .isInstanceOfSatisfying(
            InstallFailure.class,
            failure -> assertThat(failure.reason()).isEqualTo(FailureReason.Busy))
        .hasMessageContaining("still at work");
    assertThat(verbs()).containsExactly("build");
    assertThat(built("1.0.0", "cxi-ss1")).isEqualTo(core);

    Files.delete(held);
    assertThat(first.waitFor()).as(Files.readString(folder.resolve("agent.log"))).isZero();
    assertInstalled("1.0.0");
    install(target);
    assertThat(verbs()).containsExactly("verify");
    assertThat(inPlace("cxi-ss1", kernel)).isEqualTo(core);
  }
}
