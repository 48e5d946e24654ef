package dev.drydock.slingshot.command;

import dev.drydock.cli.CommandGroup;
import picocli.CommandLine.Command;

/** {@code drydock cxi fake-nics}: machines with NICs that do not exist. */
@Command(
    name = "fake-nics",
    addMethodSubcommands = false,
    description = {
      "Make folders that look like machines with CXI NICs, for tests.",
      "Give such a folder to the other commands of this group with --host-root."
    },
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      FakeNicsCreateCommand.class,
      FakeNicsAddCommand.class,
      FakeNicsRemoveCommand.class,
      FakeNicsLinkCommand.class,
      FakeNicsSetCommand.class,
      FakeNicsListCommand.class
    })
final class FakeNicsCommand extends CommandGroup {}
