package dev.drydock.slingshot.decide;

import dev.drydock.contracts.cxi.CxiNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Images of the system that the API comes from, which have other command lines than ours. They are
 * replaced by ours, unless the operator is told to keep them; then they start with the arguments
 * that they know.
 *
 * @param ours the image by default, usually that of the operator
 */
public record OriginalImages(String ours, boolean keep) {
  /** The setting that keeps them. */
  public static final String SETTING = "slingshot.originalImages";

  /** An image to start, and whether it is one of the original system. */
  public record Choice(String image, boolean original) {}

  public Choice choose(Optional<String> named) {
    String image = named.orElse(ours);
    boolean original = isOriginal(image);
    return original && !keep ? new Choice(ours, false) : new Choice(image, original);
  }

  /**
   * The same with another image by default, as the operator's settings name one for sidecars. It is
   * replaced, too, if it is one of the original system.
   */
  public OriginalImages byDefault(Optional<String> image) {
    return new OriginalImages(choose(image).image(), keep);
  }

  static boolean isOriginal(String image) {
    return image.startsWith(CxiNames.ORIGINAL_IMAGES);
  }

  /** A warning for each field of a spec that names one. */
  List<String> warnings(Map<String, Object> spec) {
    List<String> lines = new ArrayList<>();
    add(lines, "spec.retryHandler.image", Tree.text(Tree.child(spec, "retryHandler"), "image"));
    add(lines, "spec.devicePlugin.image", Tree.text(Tree.child(spec, "devicePlugin"), "image"));
    add(
        lines,
        "spec.metricsExporter.image",
        Tree.text(Tree.child(spec, "metricsExporter"), "image"));
    add(lines, "spec.driverAgent.image", Tree.text(Tree.child(spec, "driverAgent"), "image"));
    add(lines, "spec.source.repository", Tree.text(Tree.child(spec, "source"), "repository"));
    return lines;
  }

  private void add(List<String> lines, String field, String image) {
    if (!isOriginal(image)) {
      return;
    }
    lines.add(
        keep
            ? "%s: %s is started with the arguments of the original, because %s is keep"
                .formatted(field, image, SETTING)
            : "%s: %s has another command line and is replaced by %s; to start it all the same, set %s to keep"
                .formatted(field, image, ours, SETTING));
  }
}
