package dev.drydock.slingshot.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.slingshot.driver.decide.DkmsPackage;
import dev.drydock.slingshot.driver.decide.DkmsStatus;
import dev.drydock.slingshot.driver.decide.DriverTarget;
import dev.drydock.slingshot.driver.decide.ModuleState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A machine with a real DKMS, and what is in place on it, by content. */
abstract class RealDkmsCase {
  @TempDir Path folder;
  RealDkms dkms;
  ModuleSources sources;
  String kernel;
  final List<String> steps = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    dkms = RealDkms.start(folder);
    sources = new ModuleSources();
    kernel = dkms.headedKernel();
  }

  @AfterEach
  void end() {
    if (sources != null) {
      sources.close();
    }
    if (dkms != null) {
      dkms.close();
    }
  }

  void install(DriverTarget target, String forKernel) {
    steps.clear();
    DriverInstaller installer =
        new DriverInstaller(dkms.folders(), dkms.tools(folder), new SourceDownload());
    ModuleState.InPlace core = installer.install(target, forKernel, steps::add).orElseThrow();
    new DriverRecordFile(dkms.folders()).installed(target);
    assertThat(core.sha256()).isEqualTo(inPlace("cxi-ss1", forKernel));
  }

  void install(DriverTarget target) {
    install(target, kernel);
  }

  /** The checksum of the file that the kernel would load. */
  String inPlace(String module, String forKernel) {
    try {
      String file = dkms.run("modinfo", "-k", forKernel, "-n", module).output().strip();
      return DurableFiles.sha256(dkms.root().resolve(file.substring(1)));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The checksum of what DKMS has built. */
  String built(String version, String module) throws IOException {
    return DurableFiles.sha256(tree(version).resolve("module").resolve(module + ".ko"));
  }

  Path tree(String version) {
    return dkms.folders()
        .dkms()
        .resolve("cxi-driver")
        .resolve(version)
        .resolve(kernel)
        .resolve("x86_64");
  }

  void assertInstalled(String version) throws IOException {
    for (String module : List.of("cxi-ss1", "cxi-user")) {
      assertThat(inPlace(module, kernel)).as(module).isEqualTo(built(version, module));
    }
    assertThat(state(version)).isEqualTo(DkmsStatus.State.INSTALLED);
  }

  DkmsStatus.State state(String version) {
    return DkmsStatus.parse(dkms.run("dkms", "status").output())
        .of(new DkmsPackage("cxi-driver", version), kernel);
  }

  List<String> verbs() {
    return steps.stream().map(step -> step.split(" ", 2)[0]).toList();
  }
}
