package dev.drydock.slingshot.driver.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CXIDriverSpec.Platform;
import dev.drydock.contracts.cxi.CXIDriverSpec.SourceType;
import dev.drydock.slingshot.driver.decide.DriverRepository.Location;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DriverTargetTest {
  private static DriverTarget dkms(
      @Nullable String archive, @Nullable String tag, Map<String, String> repositories) {
    return new DriverTarget(
        "r", "13.0.0", SourceType.dkms, archive, null, tag, Platform.cassini, repositories);
  }

  @ParameterizedTest
  @CsvSource({
    "https://h/o/r/archive/refs/tags/v1.8.3.zip, 1.8.3",
    "https://h/o/r/archive/refs/tags/1.8.3.tar.gz, 1.8.3",
    "https://h/o/r/archive/refs/tags/release/shs-13.0.0.tgz, shs-13.0.0",
    "https://h/o/r/archive/refs/heads/main.zip, main",
    "https://h/o/r/archive/refs/heads/v2.tar, v2",
    "https://h/o/r/archive/v1.2.zip, 1.2",
    "https://h/o/r/archive/vendor.zip, vendor",
    "https://h/driver-1.8.3.tar.gz, 0.0.0",
    "https://h/o/r/archive/refs/tags/v1.8.3.zip?token=x, 1.8.3",
    "https://h/o/r/archive/refs/tags/v1.8.3.rar, 0.0.0"
  })
  void aUrlMayNameTheVersion(String url, String version) {
    assertThat(ArchiveFormat.version(url)).isEqualTo(version);
  }

  @ParameterizedTest
  @CsvSource({
    "https://h/a.zip, ZIP",
    "https://h/a.tar, TAR",
    "https://h/a.TAR.GZ, TAR_GZ",
    "https://h/a.tgz#x, TAR_GZ",
    "https://h/a.rar,",
    "https://h/zip,"
  })
  void theEndOfAUrlIsItsFormat(String url, @Nullable ArchiveFormat format) {
    assertThat(ArchiveFormat.of(url)).isEqualTo(Optional.ofNullable(format));
  }

  @Test
  void aTagIsThatOfTheVendorsRepositories() {
    DriverTarget target = dkms(null, "release/shs-13.0.0", Map.of());
    assertThat(DriverRepository.SBL.location(target))
        .isEqualTo(
            new Location.Archive(
                "https://github.com/HewlettPackard/ss-sbl/archive/refs/tags/release/shs-13.0.0.tar.gz"));
    assertThat(DriverRepository.version(target)).isEqualTo("13.0.0");
    assertThat(target.usesRepositories()).isTrue();
  }

  @Test
  void aRepositoryThatIsNamedReplacesOnlyThatOne() {
    DriverTarget target =
        dkms(null, "release/shs-13.0.0", Map.of("sbl", "https://mirror/hpe/sbl.git@abc"));
    assertThat(DriverRepository.SBL.location(target))
        .isEqualTo(new Location.Archive("https://mirror/hpe/sbl/archive/abc.tar.gz"));
    assertThat(DriverRepository.CASSINI_HEADERS.location(target))
        .isEqualTo(
            new Location.Archive(
                "https://github.com/HewlettPackard/shs-cassini-headers/archive/refs/tags/release/shs-13.0.0.tar.gz"));
  }

  @ParameterizedTest
  @CsvSource({
    "git@host:o/r.git@main, git@host:o/r.git, main",
    "ssh://git@host/o/r@v1, ssh://git@host/o/r, v1",
    "file:///srv/r.git@main, file:///srv/r.git, main",
    "https://host/deep/path/r.git@main, https://host/deep/path/r.git, main"
  })
  void otherServersAreCloned(String text, String url, String ref) {
    assertThat(DriverRepository.CXI_DRIVER.location(dkms(null, null, Map.of("cxiDriver", text))))
        .isEqualTo(new Location.Clone(url, ref));
  }

  @Test
  void withoutTagTheNewestAndTheWantedVersionCount() {
    DriverTarget target = dkms(null, null, Map.of("cxiDriver", "https://h/o/r@main"));
    assertThat(DriverRepository.SL_DRIVER.location(target))
        .isEqualTo(
            new Location.Archive("https://github.com/HewlettPackard/ss-link/archive/HEAD.tar.gz"));
    assertThat(DriverRepository.version(target)).isEqualTo("13.0.0");
  }

  @Test
  void repositoriesThatNobodyKnowsAndThoseWithoutAReferenceAreRefused() {
    assertThat(dkms(null, "t", Map.of("sbl", "https://h/o/r")).problems())
        .containsExactly("repository sbl: \"https://h/o/r\" is not URL@REF");
    assertThat(dkms(null, "t", Map.of("sl", "https://h/o/r@v1")).problems())
        .containsExactly(
            "repository sl is unknown; there are cassiniHeaders, sbl, slDriver, cxiDriver");
  }

  @Test
  void whatCannotBeInstalledSaysWhy() {
    assertThat(dkms(null, null, Map.of()).problems())
        .singleElement()
        .asString()
        .contains("--dkms-tag");
    assertThat(dkms("https://h/a.rar", null, Map.of()).problems())
        .singleElement()
        .asString()
        .startsWith("unsupported archive format");
    assertThat(dkms("https://h/a.zip", null, Map.of()).problems()).isEmpty();
    assertThat(
            new DriverTarget(
                    "r", "", SourceType.prebuilt, null, null, null, Platform.cassini, Map.of())
                .problems())
        .hasSize(2);
    assertThat(
            new DriverTarget(
                    "r", "", SourceType.preinstalled, null, null, null, Platform.cassini, Map.of())
                .problems())
        .isEmpty();
  }
}
