package dev.drydock.slingshot.driver.decide;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How an archive of sources is packed, by the end of its URL. */
public enum ArchiveFormat {
  ZIP,
  TAR_GZ,
  TAR;

  private List<String> suffixes() {
    return switch (this) {
      case ZIP -> List.of(".zip");
      case TAR_GZ -> List.of(".tar.gz", ".tgz");
      case TAR -> List.of(".tar");
    };
  }

  public static Optional<ArchiveFormat> of(String url) {
    return Arrays.stream(values()).filter(format -> format.suffix(url).isPresent()).findFirst();
  }

  private Optional<String> suffix(String url) {
    String path = path(url).toLowerCase(Locale.ROOT);
    return suffixes().stream().filter(path::endsWith).findFirst();
  }

  /** Without query and fragment. */
  private static String path(String url) {
    return url.replaceAll("[?#].*", "");
  }

  public static String unsupported(String url) {
    return "unsupported archive format: %s ends neither in .zip, .tar.gz, .tgz nor .tar"
        .formatted(url);
  }

  /**
   * The version that a URL of a tag, a branch or an archive names: its last part, without the v of
   * tags; {@code 0.0.0} if it names none.
   */
  public static String version(String url) {
    String path = path(url);
    Optional<String> suffix =
        Arrays.stream(values()).flatMap(format -> format.suffix(url).stream()).findFirst();
    if (suffix.isEmpty()) {
      return NONE;
    }
    String name = path.substring(0, path.length() - suffix.get().length());
    if (name.contains("/refs/heads/")) {
      return last(name);
    }
    return name.contains("/refs/tags/") || name.contains("/archive/")
        ? last(name).replaceFirst("^v(?=\\d)", "")
        : NONE;
  }

  private static final String NONE = "0.0.0";

  private static String last(String path) {
    String last = path.substring(path.lastIndexOf('/') + 1);
    return last.isEmpty() ? NONE : last;
  }
}
