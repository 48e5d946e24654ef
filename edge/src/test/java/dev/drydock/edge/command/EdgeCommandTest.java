package dev.drydock.edge.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.edge.decide.DeferredOperation;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.RequestAsker;
import dev.drydock.edge.decide.RequestDecider.Presence;
import dev.drydock.edge.record.DiskFiles;
import dev.drydock.edge.record.EdgePaths;
import dev.drydock.edge.record.ProcFolder;
import dev.drydock.edge.record.PublishedFiles;
import dev.drydock.edge.record.RefusedRequest;
import dev.drydock.edge.record.StoredOperation;
import dev.drydock.testbed.CommandOutcome;
import dev.drydock.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people type; the test is the agent. */
class EdgeCommandTest {
  @TempDir private Path folder;
  private final PublishedFiles files = new PublishedFiles(new DiskFiles());

  private EdgePaths paths() {
    return new EdgePaths(folder.resolve("run"), folder.resolve("persist"), folder.resolve("tmp"));
  }

  private CommandOutcome edge(String... words) {
    List<String> roots =
        List.of(
            "--edge-run-root=" + paths().run(),
            "--edge-persist-root=" + paths().persist(),
            "--edge-tmp-root=" + paths().temporary());
    return CommandOutcome.run(
        Stream.of(Stream.of("edge", words[0]), roots.stream(), Stream.of(words).skip(1))
            .flatMap(each -> each)
            .toArray(String[]::new));
  }

  private CompletableFuture<CommandOutcome> typed(String... words) {
    return CompletableFuture.supplyAsync(() -> edge(words), Thread::startVirtualThread);
  }

  private DeferredOperation take(EdgeOperation operation) {
    Path asked = paths().asked(operation);
    Eventually.inRealTime().until(() -> Files.exists(asked));
    try {
      DeferredOperation taken = StoredOperation.read(Files.readString(asked));
      files.take(asked, paths().operation(operation));
      return taken;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void store(DeferredOperation operation) {
    files.publish(paths().operation(operation.operation()), StoredOperation.write(operation));
  }

  @Test
  void aRebootIsDeferred() {
    CompletableFuture<CommandOutcome> command = typed("reboot");
    DeferredOperation asked = take(EdgeOperation.REBOOT);
    store(asked.with(DeferredOperation.State.DEFERRED, "waits for the drain"));

    CommandOutcome outcome = command.join();

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out())
        .isEqualTo("reboot is deferred: waits for the drain; see: drydock edge status\n");
    assertThat(asked.context()).isEqualTo("reboot");
  }

  @Test
  void followingSaysWhatItWaitsForUntilItBegins() {
    CompletableFuture<CommandOutcome> command = typed("poweroff", "--wait");
    DeferredOperation asked = take(EdgeOperation.POWEROFF);
    store(asked.with(DeferredOperation.State.DEFERRED, "volume v"));
    store(asked.with(DeferredOperation.State.STARTED, ""));

    assertThat(command.join().exitCode()).isZero();
    assertThat(command.join().out()).endsWith("poweroff begins\n");
  }

  @Test
  void anUpdateHasItsCommand() {
    CompletableFuture<CommandOutcome> command =
        typed("os-update", "--image=13.4", "--", "rauc", "install", "--verbose", "a b");
    DeferredOperation asked = take(EdgeOperation.UPDATE);
    store(asked.with(DeferredOperation.State.FAILED, "no"));

    assertThat(asked.command()).containsExactly("rauc", "install", "--verbose", "a b");
    assertThat(asked.context()).isEqualTo("13.4");
    assertThat(command.join().exitCode()).isEqualTo(1);
    assertThat(command.join().out()).isEqualTo("os-update to 13.4 failed: no\n");
  }

  @Test
  void withoutAnAgentNothingIsLeftBehind() {
    CommandOutcome outcome = edge("shutdown", "--timeout=100ms");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .isEqualTo(
            "error: no agent has taken the request within 0 s; start it with: drydock agent --parts"
                + " edge\n");
    assertThat(paths().asked(EdgeOperation.SHUTDOWN)).doesNotExist();
  }

  @Test
  void whileNoAgentTakesTheRequestItSaysWhatItWaitsFor() {
    CommandOutcome outcome = edge("shutdown", "--timeout=3s");

    assertThat(outcome.err())
        .startsWith(
            "waiting for the agent to take the request, for 3 s at most; Ctrl-C withdraws it\n")
        .contains("no agent has taken the request within 3 s");
  }

  @Test
  void onlyItsOwnRequestIsWithdrawn() {
    Path asked = paths().asked(EdgeOperation.REBOOT);
    files.publish(asked, "somebody else's");
    files.removeIfSame(asked, "mine");
    assertThat(asked).exists();

    files.removeIfSame(asked, "somebody else's");
    assertThat(asked).doesNotExist();
  }

  @Test
  void aCommandOfAControllerIsDoneOnce() throws IOException {
    assertThat(edge("reboot", "--counter=7").out())
        .isEqualTo("reboot 7 is the first; it is only remembered\n");
    assertThat(edge("reboot", "--counter=7").out())
        .isEqualTo("reboot 7 was seen before; nothing is done\n");
    assertThat(paths().counter(EdgeOperation.REBOOT))
        .isEqualTo(paths().persist().resolve("status/rebootConfig"))
        .content()
        .startsWith("{\"Counter\":7,\"DesiredState\":true,\"OpsTime\":\"");
    CompletableFuture<CommandOutcome> command = typed("reboot", "--counter=8");
    store(take(EdgeOperation.REBOOT).with(DeferredOperation.State.DEFERRED, "waits"));
    assertThat(command.join().out()).startsWith("reboot is deferred");
    assertThat(edge("reboot", "--counter=8").out()).contains("seen before");

    assertThat(edge("reboot", "--counter=9", "--timeout=100ms").exitCode()).isEqualTo(1);
    assertThat(paths().counter(EdgeOperation.REBOOT))
        .as("nobody has taken it")
        .content()
        .contains(":8,");
    Files.writeString(paths().counter(EdgeOperation.REBOOT), "damaged");
    assertThat(edge("reboot", "--counter=10").out()).contains("is the first");
    assertThat(edge("reboot", "--counter=none").exitCode()).isZero();
    assertThat(paths().counter(EdgeOperation.REBOOT)).doesNotExist();
    assertThat(edge("shutdown", "--counter=-1").err())
        .contains("--counter: \"-1\" is neither a number from 0 to 4294967295 nor none");
  }

  @Test
  void anUpdateWithoutImageOrCommandIsRefused() {
    assertThat(edge("os-update", "--", "true").exitCode()).isEqualTo(2);
    assertThat(edge("os-update", "--image=1").exitCode()).isEqualTo(2);
    assertThat(edge("os-update", "--image=", "--", "true").err()).contains("--image is empty");
  }

  @Test
  void theStatusSaysWhatItWaitsFor() {
    files.publish(paths().status(), "{\"Status\":5,\"RequestedBy\":2}");
    files.publish(paths().progress(), "{\"waits\":[\"default/web: budget web\"]}");
    CompletableFuture<CommandOutcome> command = typed("reboot");
    store(take(EdgeOperation.REBOOT).with(DeferredOperation.State.DEFERRED, "waits"));
    assertThat(command.join().exitCode()).isZero();

    assertThat(edge("status").out())
        .startsWith("INFO: Node Drain -> Cordoned\nwaits: default/web: budget web\n")
        .contains("reboot", "DEFERRED", "waits");
    assertThat(edge("status", "-o", "json").out()).contains("\"status\" : \"Cordoned\"");
    assertThat(edge("status", "--history").out()).contains("REQUESTED");
  }

  @Test
  void theStatusAndTheCommandSayWhatWasRefused() throws IOException {
    files.publish(paths().status(), "{\"Status\":2,\"RequestedBy\":1}");
    CompletableFuture<CommandOutcome> command = typed("reboot");
    Path asked = paths().asked(EdgeOperation.REBOOT);
    Eventually.inRealTime().until(() -> Files.exists(asked));
    DeferredOperation request = StoredOperation.read(Files.readString(asked));
    String line = "reboot of then is refused: because; if it is still wanted, ask again";
    files.publish(
        paths().refused(EdgeOperation.REBOOT),
        new RefusedRequest(request.requestedAt().toString(), line).write());
    files.remove(asked);

    assertThat(command.join().exitCode()).isEqualTo(1);
    assertThat(command.join().err()).isEqualTo("error: " + line + "\n");
    assertThat(edge("status").out()).isEqualTo("INFO: Node Drain -> Not Requested\n" + line + "\n");
    assertThat(edge("status", "-o", "json").out()).contains("\"refused\" : [ \"" + line);
  }

  @Test
  void aRequestSaysWhichProcessWaitsForItsAnswerAndForHowLong() throws IOException {
    CompletableFuture<CommandOutcome> command = typed("reboot", "--timeout=90s");
    Path asked = paths().asked(EdgeOperation.REBOOT);
    Eventually.inRealTime().until(() -> Files.exists(asked));
    RequestAsker asker = StoredOperation.asker(Files.readString(asked)).orElseThrow();
    store(take(EdgeOperation.REBOOT).with(DeferredOperation.State.DONE, ""));

    assertThat(command.join().exitCode()).isZero();
    assertThat(asker.pid()).isEqualTo(ProcessHandle.current().pid());
    assertThat(asker.waits()).hasSeconds(90);
    assertThat(ProcFolder.HERE.presence(asker)).isEqualTo(Presence.RUNS);
  }

  @Test
  void aRecordThatCannotBeReadIsNamedAndHidesNoOther() throws IOException {
    files.publish(paths().status(), "{\"Status\":5,\"RequestedBy\":2}");
    files.publish(paths().operation(EdgeOperation.REBOOT), "{");
    files.publish(paths().refused(EdgeOperation.REBOOT), "[]");
    Files.createDirectories(paths().progress());

    CommandOutcome outcome = edge("status", "-o", "json");

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out())
        .contains("\"status\" : \"Cordoned\"")
        .contains(paths().operation(EdgeOperation.REBOOT) + " cannot be read: it is not JSON")
        .contains(
            paths().refused(EdgeOperation.REBOOT) + " cannot be read: it is not a JSON object")
        .contains("cannot read " + paths().progress() + ": it is not a regular file");
  }

  @Test
  void withoutARecordTheStatusSaysWhatToDo() {
    assertThat(edge("status").err()).contains("drydock agent --parts edge");
    files.publish(paths().status(), "{");
    assertThat(edge("status").err()).contains("cannot be read");
  }

  @Test
  void cancellingLeavesWordForTheAgent() {
    assertThat(edge("cancel").exitCode()).isZero();
    assertThat(paths().cancel()).exists();
  }
}
