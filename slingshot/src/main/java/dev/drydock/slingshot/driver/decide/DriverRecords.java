package dev.drydock.slingshot.driver.decide;

import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The drivers that an agent has put on its node: what a rollback goes back to.
 *
 * @param current that whose files are in place
 * @param previous the one before it
 */
public record DriverRecords(@Nullable DriverTarget current, @Nullable DriverTarget previous) {
  public static final DriverRecords NONE = new DriverRecords(null, null);

  /** After the files of this driver were put in place. */
  public DriverRecords with(DriverTarget installed) {
    boolean same = current != null && current.revision().equals(installed.revision());
    return new DriverRecords(installed, same ? previous : current);
  }

  public Optional<DriverTarget> ofRevision(@Nullable String revision) {
    return all().filter(each -> each.revision().equals(revision)).findFirst();
  }

  /**
   * What to go back to.
   *
   * @param from the revision that is left: the version may be the same, from another source
   */
  public Optional<DriverTarget> ofVersion(String version, String from) {
    return all()
        .filter(each -> each.version().equals(version) && !each.revision().equals(from))
        .findFirst();
  }

  private Stream<DriverTarget> all() {
    return Stream.of(Optional.ofNullable(current), Optional.ofNullable(previous))
        .flatMap(Optional::stream);
  }
}
