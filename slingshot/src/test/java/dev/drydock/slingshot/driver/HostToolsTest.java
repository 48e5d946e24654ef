package dev.drydock.slingshot.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.slingshot.driver.decide.FailureReason;
import dev.drydock.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

class HostToolsTest {
  @TempDir private Path folder;

  static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private ProcessTools here() {
    return new ProcessTools(HostCommand.words(List.of("env")), folder);
  }

  @Test
  void aProgramSaysHowItEnded() {
    HostTools.Result result = here().run("sh", "-c", "echo one; echo two >&2; exit 3");
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.lastLine()).isEqualTo("two");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void nothingOfTheContainersEnvironmentReachesTheHost() {
    assertThat(here().run("env").output()).contains("LC_ALL=C").doesNotContain("JAVA");
  }

  @Test
  void whatCannotBeStartedIsOneLine() {
    assertThatThrownBy(
            () ->
                new ProcessTools(HostCommand.words(List.of("/does/not/exist")), folder).run("dkms"))
        .isInstanceOfSatisfying(
            InstallFailure.class,
            failure -> assertThat(failure.reason()).isEqualTo(FailureReason.HostToolFailed))
        .hasMessageStartingWith("cannot run dkms: ");
    assertThatThrownBy(
            () -> new ProcessTools(HostCommand.chroot(folder), folder).run("dkms", "status"))
        .hasMessageContaining("has no program chroot");
  }

  @Test
  void aProgramThatHangsIsEndedWithItsChildren() throws IOException {
    Path pid = folder.resolve("pid");
    Path unfinished = folder.resolve("unfinished");
    String hangs = "sleep 600 & echo $! >%1$s; mv %1$s %2$s; wait".formatted(unfinished, pid);
    // longer where the program does not even begin in that time
    for (int millis = 500; Files.notExists(pid); millis *= 4) {
      Duration time = Duration.ofMillis(millis);
      assertThatThrownBy(() -> here().run(time, List.of("sh", "-c", hangs)))
          .hasMessageContaining("did not end within");
    }
    long child = Long.parseLong(Files.readString(pid).strip());
    Eventually.inRealTime()
        .until(() -> ProcessHandle.of(child).filter(ProcessHandle::isAlive).isEmpty());
  }

  @Test
  void aProgramThatPrintsWithoutEndIsEnded() {
    ProcessTools tools = new ProcessTools(HostCommand.words(List.of("env")), folder, 1 << 20);

    assertThatThrownBy(() -> tools.run(HostTools.LONG, List.of("yes", "compiling")))
        .isInstanceOfSatisfying(
            InstallFailure.class,
            failure -> assertThat(failure.reason()).isEqualTo(FailureReason.HostToolFailed))
        .hasMessage("env yes compiling printed more than 1048576 bytes and was stopped");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void programsEndWithTheAgent() throws IOException {
    ProcessTools tools = here();
    CompletableFuture<HostTools.Result> build =
        CompletableFuture.supplyAsync(
            () -> tools.run("sh", "-c", "echo > " + folder.resolve("begun") + "; sleep 600"),
            Thread::startVirtualThread);
    Eventually.inRealTime().until(() -> Files.exists(folder.resolve("begun")));
    tools.close();
    assertThat(build.join().exitCode()).isNotZero();
  }

  /** As in a container without programs: its own libraries do not matter. */
  @Test
  @EnabledIf("isRoot")
  void programsOfAHostRunInItsRoot() throws IOException {
    List<String> words = HostChroot.words(Path.of("/proc/self/root"));
    assertThat(words.getFirst()).contains("ld-linux");
    HostTools.Result result =
        new ProcessTools(HostCommand.words(words), folder).run("sh", "-c", "pwd; ls -d /proc/1");
    assertThat(result.output().lines()).containsExactly("/", "/proc/1");
  }

  @Test
  void linksAreFollowedWithinTheirRoot() throws IOException {
    Files.createDirectories(folder.resolve("usr/lib64"));
    Files.createSymbolicLink(folder.resolve("lib64"), Path.of("/usr/lib64"));
    Files.createSymbolicLink(folder.resolve("usr/lib64/ld.so"), Path.of("../../lib64/ld-2.so"));
    Files.writeString(folder.resolve("usr/lib64/ld-2.so"), "");
    assertThat(RootedPaths.resolve(folder, Path.of("/lib64/ld.so")))
        .contains(folder.resolve("usr/lib64/ld-2.so"));
    assertThat(RootedPaths.resolve(folder, Path.of("usr/../../etc"))).isEmpty();
  }
}
