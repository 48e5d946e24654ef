package dev.drydock.slingshot.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.slingshot.fake.FakeNics;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code drydock cxi fake-nics set}. */
@Command(
    name = "set",
    addMethodSubcommands = false,
    description = {
      "Write files of a NIC of a fake machine.",
      "Files are those of its device, e.g. properties/pcie_uncorr_err=3 or numa_node=-1,",
      "or statistics of its retry handler, e.g. rh/nacks=7."
    })
final class FakeNicsSetCommand extends FakeMachine {
  @Parameters(index = "1", paramLabel = "NIC", description = "The NIC, e.g. cxi0.")
  private String nic = "";

  @Parameters(
      index = "2..*",
      arity = "1..*",
      paramLabel = "FILE=VALUE",
      description = "What to write where.")
  private List<String> changes = List.of();

  @Override
  void run(FakeNics nics) throws IOException {
    require(nics, nic);
    for (String change : changes) {
      int equals = change.indexOf('=');
      if (equals < 1) {
        throw CommandFailure.usage("\"%s\" is not FILE=VALUE".formatted(change));
      }
      nics.set(nic, change.substring(0, equals), change.substring(equals + 1));
    }
  }
}
