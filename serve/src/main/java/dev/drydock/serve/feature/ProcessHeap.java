package dev.drydock.serve.feature;

import dev.drydock.cli.CommandFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a process that serves a cluster has enough memory. In a container the JVM's heap follows
 * from the memory limit, so a limit that is too small is reported in those terms.
 */
public final class ProcessHeap {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessHeap.class);
  private static final long MEBIBYTE = 1 << 20;

  /** What a process needs in a small cluster. */
  private static final long LEAST_MEBIBYTES = 56;

  private ProcessHeap() {}

  /**
   * Checks the heap of this process at its start.
   *
   * @param process its name for people
   * @param recommendedMebibytes below this, a warning is logged
   * @throws CommandFailure if the process cannot work
   */
  public static void check(String process, long recommendedMebibytes) {
    check(process, recommendedMebibytes, Runtime.getRuntime().maxMemory());
  }

  static void check(String process, long recommendedMebibytes, long heap) {
    long mebibytes = heap / MEBIBYTE;
    String advice =
        "its heap has at most %d MiB, and the %s should have %d MiB: raise the memory limit of the container, of which 60%% is heap, or outside of containers DRYDOCK_HEAP"
            .formatted(mebibytes, process, recommendedMebibytes);
    if (mebibytes < LEAST_MEBIBYTES) {
      throw new CommandFailure("too little memory: " + advice);
    }
    if (mebibytes < recommendedMebibytes) {
      LOG.warn("{}", advice);
    }
  }
}
