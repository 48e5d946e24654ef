package dev.drydock.slingshot.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.contracts.cxi.CXIDriverSpec.Platform;
import dev.drydock.contracts.cxi.CXIDriverSpec.SourceType;
import dev.drydock.slingshot.driver.decide.DriverTarget;
import dev.drydock.slingshot.driver.decide.FailureReason;
import dev.drydock.testbed.CommandResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a real DKMS builds: for other kernels, once, again, and from several repositories. */
class RealDkmsBuildIT extends RealDkmsCase {
  @Test
  void anotherKernelNeedsItsHeadersAndGetsItsOwnBuild() throws IOException {
    DriverTarget target = sources.driver("1.0.0");
    install(target);
    String next = kernel + "-next";
    Path modules = Files.createDirectories(dkms.root().resolve("usr/lib/modules").resolve(next));
    Files.writeString(modules.resolve("modules.builtin"), "");
    Files.writeString(modules.resolve("modules.order"), "");
    assertThatThrownBy(() -> install(target, next))
        .isInstanceOfSatisfying(
            InstallFailure.class,
            failure -> assertThat(failure.reason()).isEqualTo(FailureReason.KernelHeadersMissing))
        .hasMessageContaining("install the package linux-headers-" + next);
    assertInstalled("1.0.0");

    Files.createSymbolicLink(modules.resolve("build"), Path.of("/usr/src/linux-headers-" + kernel));
    install(target, next);
    assertThat(inPlace("cxi-ss1", next))
        .isEqualTo(
            DurableFiles.sha256(
                dkms.folders()
                    .dkms()
                    .resolve("cxi-driver/1.0.0/%s/x86_64/module/cxi-ss1.ko".formatted(next))));
    assertInstalled("1.0.0");
  }

  @Test
  void modulesAreBuiltOnceAndRestoredByTheirChecksums() throws IOException {
    DriverTarget target = sources.driver("1.0.0");
    install(target);
    String core = inPlace("cxi-ss1", kernel);
    assertThat(dkms.run("dkms", "remove", "-m", "cxi-driver", "-v", "1.0.0", "--all").succeeded())
        .isTrue();
    install(target);
    assertThat(verbs()).containsExactly("add", "restore", "install", "verify");
    assertInstalled("1.0.0");
    assertThat(inPlace("cxi-ss1", kernel)).isEqualTo(core);

    // somebody changed the file that the kernel would load
    String file = dkms.run("modinfo", "-k", kernel, "-n", "cxi_ss1").output().strip();
    Files.writeString(dkms.root().resolve(file.substring(1)), "changed");
    install(target);
    assertThat(verbs()).containsExactly("force", "verify");
    assertThat(inPlace("cxi-ss1", kernel)).isEqualTo(core);

    // and the one that DKMS has built
    Files.writeString(tree("1.0.0").resolve("module/cxi-ss1.ko"), "changed");
    install(target);
    assertThat(verbs()).containsExactly("restore", "verify");
    assertThat(inPlace("cxi-ss1", kernel)).isEqualTo(core);
  }

  @Test
  void aBuildOfWhichOnlyAPartIsLeftIsMadeAgain() throws IOException {
    DriverTarget target = sources.driver("1.0.0");
    install(target);
    // as after a power loss while modules were copied, on another machine's disk
    DurableFiles.deleteTree(dkms.folders().cache());
    Files.delete(tree("1.0.0").resolve("module/cxi-user.ko"));
    assertThat(
            dkms.run("dkms", "build", "-m", "cxi-driver", "-v", "1.0.0", "-k", kernel).succeeded())
        .as("DKMS itself never gets over it")
        .isFalse();
    install(target);
    assertInstalled("1.0.0");
  }

  private static Map<String, String> linkRepository(
      String module, String location, String symbol, String include) {
    Map<String, String> files = new LinkedHashMap<>();
    files.put(
        "Makefile", "modules:\n\tmake -C $(KDIR) M=$(CURDIR)/%s modules\n".formatted(location));
    files.put(location + "/Kbuild", "obj-m := %s.o\n".formatted(module));
    files.put(
        location + "/" + module + ".c",
        """
        #include <linux/module.h>
        %2$s
        int %1$s(void);
        int %1$s(void) { return sizeof(int); }
        EXPORT_SYMBOL(%1$s);
        MODULE_LICENSE("GPL");
        """
            .formatted(symbol, include));
    files.put("include/linux/%s.h".formatted(symbol), "int %s(void);\n".formatted(symbol));
    return files;
  }

  /** One that is no server like GitHub, so that it is cloned. */
  private Path gitRepository(Map<String, String> files) throws IOException {
    Path repository = folder.resolve("repository");
    for (Map.Entry<String, String> file : files.entrySet()) {
      DurableFiles.write(repository.resolve(file.getKey()), file.getValue());
    }
    for (String command :
        List.of(
            "init --quiet",
            "add .",
            "-c user.name=test -c user.email=test@example.com commit --quiet -m test",
            "tag v1")) {
      List<String> words = new ArrayList<>(List.of("git", "-C", repository.toString()));
      words.addAll(List.of(command.split(" ", -1)));
      var _ = CommandResult.run(words, Map.of(), "").output();
    }
    return repository;
  }

  /** The vendor's four repositories, as they need each other. */
  @Test
  void repositoriesAreBuiltInTheirOrder() throws IOException {
    String tree = "/hpe/%s/archive/v1.tar.gz";
    sources.repository(
        tree.formatted("headers"),
        Map.of("include/cassini-test.h", "#define CASSINI 2\n", "README", "headers\n"));
    Map<String, String> sbl =
        linkRepository(
            "sbl", "drivers/net/ethernet/hpe/sbl", "sbl_test", "#include <cassini-test.h>");
    sources.repository(tree.formatted("sbl"), sbl);
    Map<String, String> sl = linkRepository("sl", "knl", "sl_test", "");
    sl.put("common/configs/config.mak.cassini", "X=1\n");
    sl.put("Makefile", "include config.mak\n" + sl.get("Makefile"));
    sources.repository(tree.formatted("sl"), sl);
    Map<String, String> cxi =
        Map.of(
            "dkms.conf.in",
            """
            PACKAGE_NAME="@PACKAGE_NAME@"
            PACKAGE_VERSION="@PACKAGE_VERSION@"
            BUILD_DEPENDS=("cray-slingshot-base-link" "sl-driver")
            SBL=${dkms_tree}/cray-slingshot-base-link/kernel-${kernelver}-${arch}/module/Module.symvers
            SL=${dkms_tree}/sl-driver/kernel-${kernelver}-${arch}/module/Module.symvers.sl
            MAKE="make -C ${kernel_source_dir} M=${dkms_tree}/@PACKAGE_NAME@/@PACKAGE_VERSION@/build/ss1 KBUILD_EXTRA_SYMBOLS='${SBL} ${SL}' modules"
            CLEAN="true"
            BUILT_MODULE_NAME[0]="cxi-ss1"
            BUILT_MODULE_LOCATION[0]="ss1"
            DEST_MODULE_LOCATION[0]="/extra"
            AUTOINSTALL="yes"
            """,
            "ss1/Kbuild",
            "ccflags-y := -I/usr/include\nobj-m := cxi-ss1.o\n",
            "ss1/cxi-ss1.c",
            """
            #include <linux/module.h>
            int sbl_test(void);
            int sl_test(void);
            static int __init begin(void) { return sbl_test() + sl_test(); }
            module_init(begin);
            MODULE_LICENSE("GPL");
            """);
    Path cloned = gitRepository(cxi);
    Map<String, String> repositories = new LinkedHashMap<>();
    repositories.put("cxiDriver", "file://" + cloned + "@v1");
    Map.of("cassiniHeaders", "headers", "sbl", "sbl", "slDriver", "sl")
        .forEach((key, name) -> repositories.put(key, sources.url("/hpe/" + name) + ".git@v1"));
    DriverTarget target =
        new DriverTarget(
            "multi",
            "13.0.0",
            SourceType.dkms,
            null,
            null,
            "release/shs-13.0.0",
            Platform.cassini,
            repositories);
    install(target);

    assertThat(dkms.run("dkms", "status").output())
        .contains("cray-slingshot-base-link/13.0.0, " + kernel + ", x86_64: installed")
        .contains("sl-driver/13.0.0, " + kernel + ", x86_64: installed")
        .contains("cxi-driver/13.0.0, " + kernel + ", x86_64: installed")
        .doesNotContain("WARNING");
    assertThat(dkms.run("modinfo", "-k", kernel, "-F", "depends", "cxi_ss1").output().strip())
        .contains("sbl", "sl");
    assertThat(dkms.root().resolve("usr/include/cassini-test.h")).exists();
    install(target);
    assertThat(verbs()).containsExactly("verify");
  }
}
