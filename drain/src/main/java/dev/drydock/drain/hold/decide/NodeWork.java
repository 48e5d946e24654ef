package dev.drydock.drain.hold.decide;

/**
 * A Job that works on the node for a holder, as its hold says. No drain ends its pods.
 *
 * @param holder who keeps the node out of service
 * @param uid the Job's UID; empty until the holder has seen the Job that it creates
 */
public record NodeWork(String holder, String namespace, String job, String uid) {
  @Override
  public String toString() {
    return "Job %s/%s of %s".formatted(namespace, job, holder);
  }
}
