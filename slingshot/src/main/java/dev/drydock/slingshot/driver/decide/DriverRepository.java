package dev.drydock.slingshot.driver.decide;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The vendor's repositories, in the order in which they are built. */
public enum DriverRepository {
  CASSINI_HEADERS("cassiniHeaders", "shs-cassini-headers", null),
  SBL("sbl", "ss-sbl", "cray-slingshot-base-link"),
  SL_DRIVER("slDriver", "ss-link", "sl-driver"),
  CXI_DRIVER("cxiDriver", "shs-cxi-driver", "cxi-driver");

  private static final String HOME = "https://github.com/HewlettPackard/";

  private final String key;
  private final String repository;
  private final @Nullable String dkmsPackage;

  DriverRepository(String key, String repository, @Nullable String dkmsPackage) {
    this.key = key;
    this.repository = repository;
    this.dkmsPackage = dkmsPackage;
  }

  /** Its name in a CXIDriver. */
  public String key() {
    return key;
  }

  /** The name under which the driver's build looks for it; empty if it has nothing to build. */
  public Optional<String> dkmsPackage() {
    return Optional.ofNullable(dkmsPackage);
  }

  static Optional<DriverRepository> named(String key) {
    return Arrays.stream(values()).filter(each -> each.key.equals(key)).findFirst();
  }

  static String names() {
    return Arrays.stream(values()).map(DriverRepository::key).collect(Collectors.joining(", "));
  }

  /** Whether a text is {@code URL@REF}. */
  static boolean isReference(String text) {
    int at = text.lastIndexOf('@');
    return at > 0 && at < text.length() - 1;
  }

  /** Where its sources are. */
  public sealed interface Location {
    /** An archive to download. */
    record Archive(String url) implements Location {}

    /** A repository to clone. */
    record Clone(String url, String ref) implements Location {}
  }

  /** Where a driver has this repository from: what names it, or the tag, or the newest. */
  public Location location(DriverTarget target) {
    String own = target.repositories().get(key);
    if (own != null && isReference(own)) {
      int at = own.lastIndexOf('@');
      return at(own.substring(0, at), own.substring(at + 1));
    }
    String tag = target.tag();
    return tag == null || tag.isBlank()
        ? new Location.Archive(HOME + repository + "/archive/HEAD.tar.gz")
        : new Location.Archive(HOME + repository + "/archive/refs/tags/" + tag + ".tar.gz");
  }

  /** Servers like GitHub pack archives at {@code OWNER/REPOSITORY/archive/REF.tar.gz}. */
  private static Location at(String url, String ref) {
    String plain = url.endsWith(".git") ? url.substring(0, url.length() - 4) : url;
    return plain.matches("https?://[^/]+/[^/]+/[^/]+")
        ? new Location.Archive(plain + "/archive/" + ref + ".tar.gz")
        : new Location.Clone(url, ref);
  }

  /** The version of a driver's packages: what follows the last dash of its tag. */
  public static String version(DriverTarget target) {
    String tag = target.tag();
    if (tag == null || tag.isBlank()) {
      return target.version();
    }
    String last = tag.substring(tag.lastIndexOf('-') + 1);
    return last.contains("/") ? last.substring(last.lastIndexOf('/') + 1) : last;
  }
}
