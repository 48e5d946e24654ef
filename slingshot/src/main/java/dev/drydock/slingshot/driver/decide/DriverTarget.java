package dev.drydock.slingshot.driver.decide;

import dev.drydock.contracts.cxi.CXIDriverSpec.Platform;
import dev.drydock.contracts.cxi.CXIDriverSpec.SourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A driver that is to be installed: its version, and where it comes from.
 *
 * @param revision identifies version and source
 * @param archive a URL of sources, for DKMS
 * @param prebuilt a URL below which modules are, for {@code prebuilt}
 * @param tag of all repositories that {@code repositories} does not name
 * @param repositories by their names in a CXIDriver, each {@code URL@REF}
 */
public record DriverTarget(
    String revision,
    String version,
    SourceType type,
    @Nullable String archive,
    @Nullable String prebuilt,
    @Nullable String tag,
    Platform platform,
    Map<String, String> repositories) {

  /** What keeps it from being installed, in one line each; empty if nothing does. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (version.isBlank() && type != SourceType.preinstalled) {
      problems.add("which version? Give --driver-version, or set $CXI_DRIVER_VERSION");
    }
    if (type == SourceType.prebuilt && isBlank(prebuilt)) {
      problems.add(
          "source prebuilt needs the URL of the modules: give --prebuilt-url, or set $PREBUILT_URL");
    }
    if (type == SourceType.dkms && !usesRepositories()) {
      if (archive == null || archive.isBlank()) {
        problems.add("source dkms needs --dkms-source-url, --dkms-tag or the repository cxiDriver");
      } else if (ArchiveFormat.of(archive).isEmpty()) {
        problems.add(ArchiveFormat.unsupported(archive));
      }
    }
    repositories.forEach(
        (name, from) -> {
          if (DriverRepository.named(name).isEmpty()) {
            problems.add(
                "repository %s is unknown; there are %s".formatted(name, DriverRepository.names()));
          } else if (!DriverRepository.isReference(from)) {
            problems.add("repository %s: \"%s\" is not URL@REF".formatted(name, from));
          }
        });
    return problems;
  }

  /** Whether it is built from the vendor's repositories, and not from one archive. */
  public boolean usesRepositories() {
    return !isBlank(tag) || repositories.containsKey(DriverRepository.CXI_DRIVER.key());
  }

  private static boolean isBlank(@Nullable String text) {
    return text == null || text.isBlank();
  }
}
