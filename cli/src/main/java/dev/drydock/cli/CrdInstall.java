package dev.drydock.cli;

/** The commands that install CRDs. Those of campaigns are too large for a client-side apply. */
public final class CrdInstall {
  private static final String APPLY = " | kubectl apply --server-side -f -";

  public static final String ALL = "drydock crds" + APPLY;

  /** In the API group that the cluster can serve. */
  public static final String LIFECYCLE = "drydock lifecycle crds" + APPLY;

  private CrdInstall() {}

  /** The failure of a command on a cluster without the CRD of a kind. */
  public static CommandFailure missing(String kind, String command) {
    return new CommandFailure("the CRD of %s is not installed; run: %s".formatted(kind, command));
  }
}
