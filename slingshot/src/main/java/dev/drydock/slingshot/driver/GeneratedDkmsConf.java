package dev.drydock.slingshot.driver;

import dev.drydock.contracts.cxi.CXIDriverSpec.Platform;
import dev.drydock.slingshot.driver.decide.DkmsPackage;
import dev.drydock.slingshot.driver.decide.DriverRepository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * Makes packages of DKMS from repositories of releases that have no configuration for it. The
 * driver's own build looks for them and for their symbols in the tree of DKMS.
 */
final class GeneratedDkmsConf {
  /** Keeps the symbols of a build beside its modules. */
  private static final String SCRIPT = "cxi-driver-symbols.sh";

  private GeneratedDkmsConf() {}

  /** Empty if the repository is no package. The headers are one without modules. */
  static Optional<String> of(DriverRepository repository, DkmsPackage named, Platform platform) {
    String hardware =
        platform == Platform.rosetta ? "PLATFORM_ROSETTA_HW=1" : "PLATFORM_CASSINI_HW=1";
    return switch (repository) {
      case CASSINI_HEADERS ->
          Optional.of(
              "PACKAGE_NAME=\"%s\"\nPACKAGE_VERSION=\"%s\"\n"
                  .formatted(named.name(), named.version()));
      case SBL ->
          Optional.of(
              text(
                  named,
                  "KCPPFLAGS='-I/usr/include' make KDIR=${kernel_source_dir} SBL_EXTERNAL_BUILD=1 "
                      + hardware
                      + " modules",
                  "drivers/net/ethernet/hpe/sbl",
                  "sbl",
                  "Module.symvers"));
      case SL_DRIVER ->
          Optional.of(
              text(
                  named,
                  "make KDIR=${kernel_source_dir} " + hardware + " modules",
                  "knl",
                  "sl",
                  "Module.symvers.sl"));
      case CXI_DRIVER -> Optional.empty();
    };
  }

  private static String text(
      DkmsPackage named, String make, String folder, String module, String symbols) {
    return """
        PACKAGE_NAME="%1$s"
        PACKAGE_VERSION="%2$s"
        MAKE="%3$s"
        CLEAN="true"
        AUTOINSTALL="yes"
        BUILT_MODULE_NAME[0]="%5$s"
        BUILT_MODULE_LOCATION[0]="%4$s"
        DEST_MODULE_LOCATION[0]="/extra"
        POST_BUILD="%7$s %4$s/Module.symvers ../${kernelver}/${arch}/module/%6$s"
        """
        .formatted(named.name(), named.version(), make, folder, module, symbols, SCRIPT);
  }

  static void write(Path sources, String conf) throws IOException {
    Files.writeString(sources.resolve("dkms.conf"), conf);
    Path script = sources.resolve(SCRIPT);
    Files.writeString(script, "#!/bin/sh\nexec cp -f \"$1\" \"$2\"\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
