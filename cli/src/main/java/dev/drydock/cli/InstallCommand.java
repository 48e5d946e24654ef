package dev.drydock.cli;

/** The commands that install CRDs, as shown in help texts and errors. */
public final class InstallCommand {
  /** Server-side, because the CRDs are too large for the annotation of a client-side apply. */
  private static final String APPLY = " | kubectl apply --server-side -f -";

  public static final String CRDS = "drydock crds" + APPLY;
  public static final String LIFECYCLE_CRDS = "drydock lifecycle crds" + APPLY;

  private InstallCommand() {}
}
