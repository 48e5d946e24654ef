package dev.drydock.cli;

/** The commands that install CRDs. Those of campaigns are too large for a client-side apply. */
public final class CrdInstall {
  private static final String APPLY = " | kubectl apply --server-side -f -";

  public static final String ALL = "drydock crds" + APPLY;

  /** In the API group that the cluster can serve. */
  public static final String LIFECYCLE = "drydock lifecycle crds" + APPLY;

  private CrdInstall() {}

  /**
   * The failure of a command on a cluster without the CRDs.
   *
   * @param kinds in the plural, e.g. {@code DrainRequests}
   */
  public static CommandFailure missing(String kinds, String command) {
    return new CommandFailure(
        "this cluster does not know %s; first run: %s".formatted(kinds, command));
  }
}
