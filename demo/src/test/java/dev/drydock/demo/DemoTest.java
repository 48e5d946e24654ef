package dev.drydock.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.Terminal;
import dev.drydock.sim.DemoCluster;
import dev.drydock.sim.kubelet.KubeletKnobs;
import dev.drydock.sim.kubelet.NodeTemplate;
import dev.drydock.testbed.CommandOutcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoTest {
  /** A cluster that lacks the nodes of one pool. */
  private record Forgetful(DemoCluster cluster, String pool) implements DemoCluster {
    static DemoCluster start(KubeletKnobs knobs, Consumer<String> progress) {
      return new Forgetful(SimulatedDemoCluster.start(knobs, progress), "gpu-c-");
    }

    @Override
    public Path kubeconfig() {
      return cluster.kubeconfig();
    }

    @Override
    public List<String> addNodes(int count, String prefix, NodeTemplate template) {
      return prefix.equals(pool) ? List.of() : cluster.addNodes(count, prefix, template);
    }

    @Override
    public void close() {
      cluster.close();
    }
  }

  @Test
  void theWholeStoryIsTrue() {
    CommandOutcome demo = CommandOutcome.run("demo", "--headless");

    assertThat(demo.exitCode()).as(demo.out() + demo.err()).isZero();
    assertThat(demo.out().lines())
        .containsSubsequence(
            "1. The fleet",
            "ok: 12 nodes are ready",
            "ok: they are in 3 zones",
            "ok: 6 pods of web are ready",
            "ok: 12 pods of slurmd are ready",
            "ok: 6 pods of render are ready",
            "ok: 12 pods of exporter are ready",
            "ok: budget shop/web has no room",
            "ok: budget slurm/slurmd has room for one",
            "2. A plan",
            "$ drydock plan gpu-b-1 --ignore-daemonsets",
            "ok: the plan says that it can be done",
            "ok: the plan names the budget",
            "ok: gpu-b-1 is in service as before",
            "ok: the same pods run on it",
            "3. A drain that a budget holds up",
            "node/cpu-a-1 cordoned",
            "ok: the drain names the pod and the budget that hold it up",
            "ok: the web pod still runs there",
            "ok: the node is out of service",
            "$ kubectl scale deployment -n shop web --replicas=7",
            "node/cpu-a-1 drained",
            "ok: the drain succeeds",
            "ok: nothing but the exporter is left on cpu-a-1",
            "ok: team/hardware holds the node",
            "ok: six web pods are ready elsewhere",
            "4. Two reasons on one node",
            "ok: the second hold is placed",
            "ok: drydock holds shows the first and why",
            "ok: drydock holds shows the second and why",
            "ok: both hold the node",
            "node/cpu-a-1 still held by os-update",
            "ok: os-update still holds it",
            "ok: the node stays out of service",
            "node/cpu-a-1 uncordoned",
            "ok: nobody holds it",
            "ok: the node is back in service",
            "5. An operator that crashes",
            "ok: two workers run on gpu-b-1",
            "ok: the cluster knows DrainRequests",
            "ok: the operator has evicted the first worker",
            "ok: one worker has been evicted",
            "ok: the request is not complete",
            "ok: its status knows of two workers",
            "ok: the node stays held by drainrequest/ops/drain-gpu-b-1-driver",
            "node/gpu-b-1 drained",
            "ok: the drain succeeds",
            "ok: the request is complete",
            "ok: its status has counted both workers",
            "ok: nothing but the exporter is left on gpu-b-1",
            "ok: each of the two workers was evicted, and none twice",
            "ok: the request holds the node",
            "ok: all 12 workers are ready elsewhere",
            "6. Back in service",
            "ok: the request is gone",
            "ok: gpu-b-1 is back in service",
            "ok: no node is held",
            "7. A campaign",
            "ok: the plan says that it can be done",
            "ok: the plan has one node of the zone out at a time",
            "ok: both nodes are in service as before",
            "ok: the campaign is created",
            "ok: the first node is done",
            "ok: the campaign is complete",
            "ok: drydock campaign status reports it",
            "ok: its status counts both nodes as done",
            "ok: both nodes were out, and no other",
            "ok: at no moment was more than one node of a zone out",
            "ok: both nodes are back in service, held by nobody",
            "$ drydock history gpu-b-1",
            "ok: its history includes the driver",
            "ok: its history includes the firmware",
            "8. A GPU that fails",
            "ok: two workers are ready",
            "$ drydock slinky-drainer &",
            "$ drydock mock-slurm &",
            "ok: the operator takes health events",
            "ok: the connector of the node does, too",
            "sent: GpuXidError of node gpu-c-1 is unhealthy",
            "ok: it is out of service",
            "ok: its drain has succeeded",
            "ok: both workers are gone",
            "ok: each step came after the one before",
            "ok: its history tells of the drain",
            "sent: GpuXidError of node gpu-c-1 is healthy",
            "ok: gpu-c-1 is back in service",
            "ok: the request is gone",
            "ok: nobody holds it",
            "ok: 12 nodes are ready",
            "ok: 7 pods of web are ready",
            "ok: 12 pods of slurmd are ready",
            "ok: 6 pods of render are ready",
            "ok: 12 pods of exporter are ready",
            "ok: no budget was broken at any moment of the demo");
    assertThat(kubeconfig(demo.out())).as("nothing stays behind").doesNotExist();
    assertThat(kubeconfig(demo.out()).getParent()).doesNotExist();
  }

  private static Path kubeconfig(String out) {
    return out.lines()
        .filter(line -> line.startsWith("  export KUBECONFIG="))
        .map(line -> Path.of(line.substring(line.indexOf('=') + 1)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aCheckThatFailsEndsTheDemoAndSaysWhatWasExpectedAndFound() {
    StringWriter out = new StringWriter();
    PrintWriter writer = new PrintWriter(out);
    Demo demo =
        new Demo(
            new Terminal(writer, writer, false, false, 80, 24),
            new Demo.Mode(false, null, false, Duration.ofSeconds(2)));
    String failure = "12 nodes are ready: expected 12, found 10";

    assertThatThrownBy(() -> demo.on(Forgetful::start))
        .isInstanceOfSatisfying(
            CommandFailure.class, failed -> assertThat(failed.exitCode()).isEqualTo(1))
        .hasMessage("the demo failed: " + failure);

    assertThat(out.toString().lines())
        .contains("waiting for: " + failure, "failed: " + failure)
        .doesNotContain("2. A plan");
    assertThat(Files.exists(kubeconfig(out.toString()))).isFalse();
  }

  @Test
  void itEndsWhenNobodyReadsItAnyMore() {
    StringBuilder read = new StringBuilder();
    Writer pipe =
        new Writer() {
          @Override
          public void write(char[] text, int offset, int length) throws IOException {
            if (read.indexOf("ok: ") >= 0) {
              throw new IOException("Broken pipe");
            }
            read.append(text, offset, length);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    PrintWriter err = new PrintWriter(Writer.nullWriter());
    Demo demo =
        new Demo(
            new Terminal(new PrintWriter(pipe), err, false, false, 80, 24),
            new Demo.Mode(false, null, false, Duration.ofSeconds(30)));

    int exitCode = demo.on(SimulatedDemoCluster::start);

    assertThat(exitCode).as("not everything was checked").isEqualTo(1);
    assertThat(read).contains("1. The fleet").doesNotContain("ok: they are in 3 zones");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--headless --pace=2s", "--pace=soon", "--headless=2", "gpu-a-1"})
  void nonsenseIsRefused(String words) {
    CommandOutcome outcome = CommandOutcome.run(("demo " + words).split(" "));

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).startsWith("error: ");
  }

  @Test
  void itHasHelp() {
    CommandOutcome outcome = CommandOutcome.run("demo", "--help");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out()).contains("Usage: drydock demo", "--help");
    assertThat(CommandOutcome.run("help", "demo").out()).isEqualTo(outcome.out());
  }

  @Test
  void itTakesNoOtherCluster() {
    CommandOutcome outcome = CommandOutcome.run("--kubeconfig", "mine", "demo", "--headless");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("--kubeconfig does not apply");
  }
}
