package dev.drydock.slingshot.command;

import dev.drydock.slingshot.fake.FakeNics;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code drydock cxi fake-nics remove}. */
@Command(
    name = "remove",
    addMethodSubcommands = false,
    description = "Remove a NIC from a fake machine, with its device file.")
final class FakeNicsRemoveCommand extends FakeMachine {
  @Parameters(index = "1", paramLabel = "NIC", description = "The NIC, e.g. cxi0.")
  private String nic = "";

  @Override
  void run(FakeNics nics) throws IOException {
    require(nics, nic);
    nics.remove(nic);
  }
}
