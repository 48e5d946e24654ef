package dev.drydock.slingshot.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.cli.ExitCode;
import dev.drydock.slingshot.fake.FakeNics;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** A command on a folder that {@code fake-nics create} made. */
@Command(addMethodSubcommands = false)
abstract class FakeMachine implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "FOLDER", description = "The folder of the fake machine.")
  private Path folder = Path.of("");

  @Override
  public final Integer call() {
    try {
      run(open());
    } catch (IOException failed) {
      throw new CommandFailure(
          "cannot change %s: %s".formatted(folder, failed.getMessage()), failed);
    }
    return ExitCode.OK;
  }

  FakeNics open() throws IOException {
    try {
      return FakeNics.open(folder, Clock.systemUTC());
    } catch (NoSuchFileException none) {
      throw new CommandFailure(
          "%s is no fake machine; make one with: drydock cxi fake-nics create %s"
              .formatted(folder, folder));
    }
  }

  final Path folder() {
    return folder;
  }

  abstract void run(FakeNics nics) throws IOException;

  /** Fails if the machine has no such NIC. */
  final void require(FakeNics nics, String nic) {
    if (!nics.has(nic)) {
      throw new CommandFailure(
          "%s has no NIC %s; see: drydock cxi fake-nics list %s".formatted(folder, nic, folder));
    }
  }
}
