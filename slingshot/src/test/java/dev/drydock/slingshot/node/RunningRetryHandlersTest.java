package dev.drydock.slingshot.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.slingshot.node.decide.RetryHandlerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Which processes of a node are retry handlers, and which only look like one. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a pipe would wait for ever
class RunningRetryHandlersTest {
  private static final String POD =
      "0::/kubepods.slice/kubepods-burstable.slice/"
          + "kubepods-burstable-pod0c8a36f1_7a5f_4b51_9f0d_2f6c5a0e5a11.slice/cri-containerd-1.scope";

  @TempDir private Path folder;
  private HostRoots roots;
  private RunningRetryHandlers handlers;

  @BeforeEach
  void machine() throws IOException {
    roots = HostRoots.below(folder);
    Files.createDirectories(roots.runCxi());
    Files.writeString(roots.lock("cxi0"), "");
    handlers = new RunningRetryHandlers(roots);
  }

  private Path process(int pid, String commandLine, String groups) throws IOException {
    Path process = Files.createDirectories(roots.proc().resolve(Integer.toString(pid)));
    Files.write(process.resolve("cmdline"), commandLine.getBytes(StandardCharsets.ISO_8859_1));
    Files.writeString(process.resolve("cgroup"), groups + "\n");
    Files.createDirectories(process.resolve("fd"));
    return process;
  }

  @Test
  void aServiceOfTheNodeCounts() throws IOException {
    process(70, "/usr/bin/cxi_rh\0--device=cxi0\0", "0::/system.slice/system-cxi_rh.slice");

    assertThat(handlers.all()).containsOnlyKeys("cxi0");
  }

  @Test
  void aPodWithoutTheLockOnlyLooksLikeOne() throws IOException {
    process(7, "cxi_rh\0--device=cxi0\0", POD);
    Path genuine = process(70, "/usr/bin/cxi_rh\0--device=cxi0\0", POD);
    Files.createSymbolicLink(genuine.resolve("fd/9"), roots.lock("cxi0"));

    assertThat(handlers.all().values()).extracting(RetryHandlerProcess::pid).containsExactly(70L);
  }

  @Test
  void aLockOfAPodsOwnIsNone() throws IOException {
    Path own = Files.writeString(folder.resolve("cxi0.lock"), "");
    Path process = process(7, "cxi_rh\0--device=cxi0\0", POD);
    Files.createSymbolicLink(process.resolve("fd/9"), own);

    assertThat(handlers.all()).isEmpty();
  }

  static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  @Test
  @EnabledIf("isRoot")
  void anotherUserOfTheNodeOnlyLooksLikeOne() throws IOException {
    Path process = process(7, "cxi_rh\0--device=cxi0\0", "0::/user.slice/user-1000.slice");
    Files.setAttribute(process, "unix:uid", 1000);

    assertThat(handlers.all()).isEmpty();
  }

  @Test
  void namesThatAreNoDevicesAndOddConfigurationsHarmNothing() throws IOException {
    process(7, "cxi_rh\0--device=../../etc\0", "0::/system.slice");
    process(8, "cxi_rh\0--device=/dev\0", "0::/system.slice");
    process(9, "cxi_rh\0--device=\0--conf=\0", "0::/system.slice");
    process(10, "cxi_rh\0--device=cxi1\0--conf=/tmp/\u00ff\u00fe\0", "0::/system.slice");

    assertThat(handlers.all()).containsOnlyKeys("cxi1");
  }

  @Test
  void aPipeAmongTheStatisticsIsNotOpened() throws IOException, InterruptedException {
    Path statistics = Files.createDirectories(roots.runCxi().resolve("cxi0"));
    Files.writeString(statistics.resolve("nacks"), "7\n");
    Process mkfifo =
        new ProcessBuilder("mkfifo", statistics.resolve("spt_timeouts").toString()).start();
    assertThat(mkfifo.waitFor(20, TimeUnit.SECONDS)).isTrue();

    assertThat(RunningRetryHandlers.statistics(statistics).orElseThrow().values())
        .containsOnlyKeys("nacks");
  }
}
