package dev.drydock.slingshot.command;

import static java.util.Objects.requireNonNull;

import dev.drydock.cli.OutputOption;
import dev.drydock.cli.Table;
import dev.drydock.cli.Terminal;
import dev.drydock.slingshot.fake.FakeNics;
import dev.drydock.slingshot.node.decide.CxiNic;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drydock cxi fake-nics list}. */
@Command(
    name = "list",
    addMethodSubcommands = false,
    description = "Show the NICs of a fake machine, as the programs on a node read them.")
final class FakeNicsListCommand extends FakeMachine {
  /** A NIC as {@code -o json} prints it. */
  record Listed(String name, String pciAddress, int numaNode, String link, String speed) {
    static Listed of(CxiNic nic) {
      return new Listed(
          nic.name(), nic.pciAddress(), nic.numaNode(), nic.link().name(), nic.speed().orElse(""));
    }
  }

  @Spec private @Nullable CommandSpec spec;
  @Mixin private OutputOption output = new OutputOption();

  @Override
  void run(FakeNics nics) {
    Terminal terminal = Terminal.of(requireNonNull(spec));
    List<Listed> all = nics.sysfs().nics().stream().map(Listed::of).toList();
    output.print(terminal, all, _ -> print(terminal, all));
  }

  private static void print(Terminal terminal, List<Listed> all) {
    Table table = new Table("NAME", "PCI", "NUMA", "LINK", "SPEED");
    all.forEach(
        nic -> table.row(nic.name(), nic.pciAddress(), nic.numaNode(), nic.link(), nic.speed()));
    table.print(terminal);
  }
}
