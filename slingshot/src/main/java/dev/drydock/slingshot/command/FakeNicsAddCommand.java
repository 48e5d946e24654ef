package dev.drydock.slingshot.command;

import dev.drydock.slingshot.fake.FakeNic;
import dev.drydock.slingshot.fake.FakeNics;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code drydock cxi fake-nics add}. */
@Command(
    name = "add",
    addMethodSubcommands = false,
    description = "Add a NIC to a fake machine, as if it had just been found.")
final class FakeNicsAddCommand extends FakeMachine {
  @Parameters(index = "1", paramLabel = "NUMBER", description = "Of the NIC: 2 for cxi2.")
  private int number;

  @Option(
      names = "--numa-node",
      paramLabel = "NUMBER",
      description = "Where it is connected; -1 for unknown. Default: 0 for even NICs, 1 for odd.")
  private @Nullable Integer numaNode;

  @Option(
      names = "--generation",
      paramLabel = "NUMBER",
      defaultValue = "2",
      description = "1 for Cassini 1, 2 for Cassini 2. Default: 2.")
  private int generation;

  @Override
  void run(FakeNics nics) throws IOException {
    FakeNic nic = FakeNic.numbered(number).withGeneration(generation);
    nics.add(numaNode == null ? nic : nic.withNumaNode(numaNode));
  }
}
