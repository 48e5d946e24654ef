package dev.drydock.slingshot.driver.decide;

/**
 * The next step for one package of DKMS and one kernel. It follows from what is on the disk alone,
 * so that an agent that was killed anywhere goes on. What DKMS says about its success is never
 * believed: only files count.
 *
 * @param sources of the package
 * @param state what DKMS says
 * @param build the modules that DKMS has built
 * @param cached whether modules of this build are in the cache
 * @param headers whether those of the kernel are there
 * @param inPlace whether the kernel would load what was built
 */
public record DkmsDecision(
    Sources sources,
    DkmsStatus.State state,
    Build build,
    boolean cached,
    boolean headers,
    boolean inPlace) {

  /** The folder of the sources. */
  public enum Sources {
    MISSING,
    /** Of another revision. */
    OTHER,
    READY
  }

  /** The modules in the tree of DKMS. */
  public enum Build {
    MISSING,
    /** There, and nobody knows whether they are complete: a build may have been killed. */
    UNKNOWN,
    /** As they were when the build succeeded. */
    VERIFIED
  }

  /** What to do. */
  public enum Step {
    FETCH,
    ADD,
    /** Put modules that were built before into the tree. */
    RESTORE,
    BUILD,
    INSTALL,
    /** Replace a file that DKMS would leave in place. */
    FORCE,
    /** Nothing can be built without the headers. */
    NEEDS_HEADERS,
    DONE
  }

  public Step next() {
    boolean complete = state == DkmsStatus.State.INSTALLED && build == Build.VERIFIED && inPlace;
    if (complete && sources != Sources.OTHER) {
      return Step.DONE; // sources that somebody cleaned up are not needed
    }
    if (sources != Sources.READY) {
      return Step.FETCH;
    }
    if (state == DkmsStatus.State.ABSENT) {
      return Step.ADD;
    }
    if (build != Build.VERIFIED) {
      return cached ? Step.RESTORE : headers ? Step.BUILD : Step.NEEDS_HEADERS;
    }
    return switch (state) {
      case INSTALLED, DIFFERS -> Step.FORCE;
      case ABSENT, ADDED, BUILT -> Step.INSTALL;
    };
  }
}
