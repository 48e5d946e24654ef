package dev.drydock.sim.fault;

import java.time.Duration;

/** A fault of a call, or of a watch's events. */
public sealed interface Fault {
  /** Applies to any call. */
  sealed interface OfCall extends Fault {}

  /** Applies to a watch; events are counted from 1. */
  sealed interface OfWatch extends Fault {}

  /**
   * The call is refused and has no effect.
   *
   * @param retryAfterSeconds the Retry-After header; 0 for none
   */
  record Refused(int code, int retryAfterSeconds) implements OfCall {}

  /** The call takes effect after this time. */
  record Delayed(Duration time) implements OfCall {}

  /** The connection breaks before the call takes effect. */
  record NeverArrived() implements OfCall {}

  /** The call takes effect, and the connection breaks before the answer is sent. */
  record AnswerLost() implements OfCall {}

  /** The clock moves, forwards or backwards, before the call takes effect. */
  record ClockJumped(Duration by) implements OfCall {}

  /**
   * A network partition: this call and later ones of the same user are lost, and no event reaches
   * it.
   *
   * @param calls how many calls are lost before the partition ends
   */
  record Partitioned(int calls) implements OfCall {}

  /** The connection breaks after this many events. */
  record Cut(int events) implements OfWatch {}

  /** After this many events none arrives for a while; then all missed ones arrive. */
  record Stalled(int events, Duration time) implements OfWatch {}

  /** An event arrives twice. */
  record Repeated(int event) implements OfWatch {}

  /** An event arrives after its successor. */
  record Swapped(int event) implements OfWatch {}
}
