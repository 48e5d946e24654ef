package dev.drydock.slingshot.command;

import dev.drydock.cli.CommandFailure;
import dev.drydock.slingshot.fake.FakeNic;
import dev.drydock.slingshot.fake.FakeNics;
import java.io.IOException;
import java.time.Clock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code drydock cxi fake-nics create}. */
@Command(
    name = "create",
    addMethodSubcommands = false,
    description = {
      "Make a folder that looks like the root of a machine with CXI NICs.",
      "It has sysfs, device files, loaded modules, and programs such as cxi_rh and modprobe."
    })
final class FakeNicsCreateCommand extends FakeMachine {
  private static final int MOST = 64;

  @Option(
      names = "--nics",
      paramLabel = "COUNT",
      defaultValue = "2",
      description = "How many NICs it has, 0 to 64. Default: 2.")
  private int count;

  @Option(
      names = "--generation",
      paramLabel = "NUMBER",
      defaultValue = "2",
      description = "Of the NICs: 1 for Cassini 1, 2 for Cassini 2. Default: 2.")
  private int generation;

  @Option(
      names = "--kernel",
      paramLabel = "VERSION",
      defaultValue = FakeNics.KERNEL,
      description = "The kernel that it runs. Default: " + FakeNics.KERNEL + ".")
  private String kernel = "";

  @Option(
      names = "--device-nodes",
      description =
          "Make device files real devices, which containers can be given; needs root. They swallow what is written.")
  private boolean deviceNodes;

  @Override
  FakeNics open() throws IOException {
    if (count < 0 || count > MOST) {
      throw CommandFailure.usage("--nics must be 0 to %d, not %d".formatted(MOST, count));
    }
    if (generation != 1 && generation != 2) {
      throw CommandFailure.usage("--generation must be 1 or 2, not " + generation);
    }
    return FakeNics.create(folder(), kernel, Clock.systemUTC());
  }

  @Override
  void run(FakeNics nics) throws IOException {
    if (deviceNodes) {
      nics.useDeviceNodes();
    }
    for (int i = 0; i < count; i++) {
      nics.add(FakeNic.numbered(i).withGeneration(generation));
    }
  }
}
