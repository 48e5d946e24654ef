package dev.drydock.slingshot.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.slingshot.node.decide.LoadedModule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadedModulesTest {
  @TempDir private Path root;

  private LoadedModules modules(String text) throws IOException {
    Files.createDirectories(root.resolve("proc"));
    Files.writeString(root.resolve("proc/modules"), text);
    return new LoadedModules(HostRoots.below(root));
  }

  @Test
  void aKernelWithoutModulesHasNone() {
    assertThat(new LoadedModules(HostRoots.below(root)).all()).isEmpty();
  }

  @Test
  void linesOfTheKernelAreRead() throws IOException {
    LoadedModules modules =
        modules(
            """
            cxi_user 40960 3 - Live 0xffffffffc0a00000 (OE)
            cxi_ss1 1122304 2 cxi_user,cxi_eth, Live 0xffffffffc0800000 (OE)
            not_cxi_ss1 1 0 - Live 0x0
            odd

            """);
    assertThat(modules.all())
        .containsEntry("cxi_ss1", new LoadedModule("cxi_ss1", 2, List.of("cxi_user", "cxi_eth")));
    assertThat(modules.all())
        .containsEntry("cxi_user", new LoadedModule("cxi_user", 3, List.of()))
        .containsEntry("odd", new LoadedModule("odd", -1, List.of()));
    assertThat(modules.ours()).containsExactly("cxi_ss1", "cxi_user");
    assertThat(modules.isLoaded("cxi_eth")).isFalse();
  }

  @Test
  void aModuleMayDeclareItsVersion() throws IOException {
    LoadedModules modules = modules("cxi_ss1 1 0 - Live 0x0\n");
    assertThat(modules.version("cxi_ss1")).isEmpty();
    Path folder = Files.createDirectories(root.resolve("sys/module/cxi_ss1"));
    Files.writeString(folder.resolve("version"), "1.8.3\n");
    Files.writeString(folder.resolve("srcversion"), "ABCDEF\n");
    assertThat(modules.version("cxi_ss1")).contains("1.8.3");
    assertThat(modules.sourceChecksum("cxi_ss1")).contains("ABCDEF");
  }
}
