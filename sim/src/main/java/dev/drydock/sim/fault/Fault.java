package dev.drydock.sim.fault;

import java.time.Duration;

/** What can go wrong with a call, or with the events of a watch. */
public sealed interface Fault {
  /** Of any call. */
  sealed interface OfCall extends Fault {}

  /** Of a watch, counted in events from 1. */
  sealed interface OfWatch extends Fault {}

  /**
   * The call is refused and has no effect.
   *
   * @param retryAfterSeconds what the caller is told to wait; 0 for no word about it
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
   * From this call on nothing of the same user arrives, this call included, and no event reaches
   * it.
   *
   * @param calls how many calls get lost before the network is whole again
   */
  record Partitioned(int calls) implements OfCall {}

  /** The connection breaks after so many events. */
  record Cut(int events) implements OfWatch {}

  /** After so many events none comes for a while; then all that were missed do. */
  record Stalled(int events, Duration time) implements OfWatch {}

  /** An event comes twice. */
  record Repeated(int event) implements OfWatch {}

  /** An event comes after the one that follows it. */
  record Swapped(int event) implements OfWatch {}
}
