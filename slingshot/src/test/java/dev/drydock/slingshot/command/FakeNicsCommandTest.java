package dev.drydock.slingshot.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.slingshot.node.CxiSysfs;
import dev.drydock.slingshot.node.HostRoots;
import dev.drydock.testbed.CommandOutcome;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FakeNicsCommandTest {
  @TempDir private Path folder;

  private CommandOutcome fakeNics(String command, String... more) {
    return CommandOutcome.run(
        Stream.concat(
                Stream.of("cxi", "fake-nics", command, folder.resolve("machine").toString()),
                Stream.of(more))
            .toArray(String[]::new));
  }

  private String list() {
    return fakeNics("list").out();
  }

  @Test
  void nicsComeAndGoAndLinksFlip() {
    assertThat(fakeNics("create", "--nics", "1", "--generation", "1").exitCode()).isZero();
    assertThat(list()).contains("cxi0   0000:41:00.0   0      up     200Gbps");

    assertThat(fakeNics("add", "5", "--numa-node", "-1").exitCode()).isZero();
    assertThat(fakeNics("link", "cxi5", "down").exitCode()).isZero();
    assertThat(list()).contains("cxi5   0000:46:00.0   -1     down   -");

    assertThat(fakeNics("link", "cxi5", "flip", "--times", "3", "--every", "1ms").exitCode())
        .isZero();
    assertThat(list()).contains("cxi5   0000:46:00.0   -1     up");
    assertThat(fakeNics("set", "cxi5", "properties/pcie_uncorr_err=3", "rh/nacks=7").exitCode())
        .isZero();
    assertThat(
            new CxiSysfs(HostRoots.below(folder.resolve("machine")))
                .nics()
                .getLast()
                .errors()
                .pcieUncorrectable())
        .hasValue(3);
    assertThat(folder.resolve("machine/run/cxi/cxi5/nacks")).hasContent("7");

    assertThat(fakeNics("remove", "cxi0").exitCode()).isZero();
    assertThat(fakeNics("list", "-o", "json").out()).contains("\"cxi5\"").doesNotContain("cxi0");
  }

  @ParameterizedTest
  @CsvSource({
    "create, --nics=65, --nics must be 0 to 64",
    "create, --generation=3, --generation must be 1 or 2",
    "remove, cxi9, has no NIC cxi9",
    "set, cxi0 value, is not FILE=VALUE",
    "set, cxi0 ../../x=1, cannot change",
    "link, cxi0 sideways, sideways",
    "link, cxi0 flip --every=0s, --every must be positive"
  })
  void mistakesAreOneLine(String command, String arguments, String line) {
    assertThat(fakeNics("create").exitCode()).isZero();
    CommandOutcome outcome = fakeNics(command, arguments.split(" ", -1));
    assertThat(outcome.exitCode()).isNotZero();
    assertThat(outcome.err().lines().findFirst()).get().asString().contains(line);
  }

  @Test
  void aFolderThatIsNoMachineIsNamed() {
    CommandOutcome outcome = fakeNics("list");
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .contains("is no fake machine; make one with: drydock cxi fake-nics create");
  }
}
