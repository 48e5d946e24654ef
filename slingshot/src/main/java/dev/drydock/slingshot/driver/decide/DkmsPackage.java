package dev.drydock.slingshot.driver.decide;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A package of DKMS. */
public record DkmsPackage(String name, String version) {
  /** Both are parts of paths. */
  private static final Pattern PART = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._+~-]{0,127}");

  private static final Pattern ASSIGNMENT =
      Pattern.compile("(?m)^\\s*(PACKAGE_NAME|PACKAGE_VERSION)=[\"']?([^\"'\\s]*)[\"']?\\s*$");

  public boolean isValid() {
    return PART.matcher(name).matches() && PART.matcher(version).matches();
  }

  /** Where DKMS looks for its sources. */
  public String sourceFolder() {
    return name + "-" + version;
  }

  /** What a dkms.conf names; empty if it does not say both as plain text. */
  public static Optional<DkmsPackage> read(String conf) {
    String name = "";
    String version = "";
    Matcher found = ASSIGNMENT.matcher(conf);
    while (found.find()) {
      if (found.group(1).equals("PACKAGE_NAME")) {
        name = found.group(2);
      } else {
        version = found.group(2);
      }
    }
    return Optional.of(new DkmsPackage(name, version)).filter(DkmsPackage::isValid);
  }

  /** A dkms.conf made from a template. */
  public String fill(String template) {
    return template
        .replace("@PACKAGE_NAME@", name)
        .replace("@PACKAGE_VERSION@", version)
        .replace("@SHS_DKMS_AUX_DIR@", "/etc/shs-dkms");
  }

  @Override
  public String toString() {
    return name + "/" + version;
  }
}
