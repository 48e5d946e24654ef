package dev.drydock.cli;

/** The commands that install CRDs. Those of campaigns are too large for a client-side apply. */
public final class CrdInstall {
  private static final String APPLY = " | kubectl apply --server-side -f -";

  public static final String ALL = "drydock crds" + APPLY;

  /** Also where another program has installed a CRD of the same name. */
  public static final String REPLACE =
      "drydock crds | kubectl apply --server-side --force-conflicts -f -";

  /** In the API group that the cluster can serve. */
  public static final String LIFECYCLE = "drydock lifecycle crds" + APPLY;

  private CrdInstall() {}

  /** The failure of a command on a cluster with a CRD of a kind that lacks a field. */
  public static CommandFailure outdated(String kind, String field) {
    return new CommandFailure(
        "the CRD of %s is not Drydock's or an older one: it has no %s; objects are kept if you run: %s"
            .formatted(kind, field, REPLACE));
  }

  /** The failure of a command on a cluster without the CRD of a kind. */
  public static CommandFailure missing(String kind, String command) {
    return new CommandFailure("the CRD of %s is not installed; run: %s".formatted(kind, command));
  }
}
