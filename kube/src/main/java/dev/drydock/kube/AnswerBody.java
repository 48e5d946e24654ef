package dev.drydock.kube;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * The body of an answer while it is collected. Its size is limited, and so is the number of large
 * ones at a time: what tenants write must not decide how much memory a process needs.
 */
final class AnswerBody implements AutoCloseable {
  /**
   * The largest answer. One object always fits: the API server stores at most 1.5 MiB of it, which
   * its escapes make up to six times as long.
   */
  static final int MOST = 16 << 20;

  /** Answers up to this size need no place among the large ones. */
  static final int SMALL = 1 << 20;

  /** How many large answers are collected and parsed at a time. */
  static final int LARGE_AT_A_TIME = 4;

  /**
   * @param most the largest answer
   * @param small the largest answer that needs no place
   * @param places for larger ones
   */
  record Limits(int most, int small, Semaphore places) {
    static Limits standard() {
      return new Limits(MOST, SMALL, new Semaphore(LARGE_AT_A_TIME));
    }
  }

  private final Limits limits;
  private final boolean repeatable;
  private List<byte[]> chunks = new ArrayList<>();
  private int size;
  private boolean placed;
  private boolean tooLarge;
  private boolean crowdedOut;

  /**
   * @param repeatable whether the request can be sent again, so that its answer may be given up
   *     until there is a place for it
   */
  AnswerBody(Limits limits, boolean repeatable) {
    this.limits = limits;
    this.repeatable = repeatable;
  }

  /** Whether to go on; if not, what was collected is dropped. */
  synchronized boolean add(ByteBuffer chunk) {
    if (tooLarge || crowdedOut) {
      return false;
    }
    tooLarge = chunk.remaining() > limits.most() - size;
    if (!tooLarge && repeatable && !placed && chunk.remaining() > limits.small() - size) {
      placed = limits.places().tryAcquire();
      crowdedOut = !placed;
    }
    if (tooLarge || crowdedOut) {
      chunks = new ArrayList<>();
      size = 0;
      return false;
    }
    byte[] bytes = new byte[chunk.remaining()];
    chunk.get(bytes);
    chunks.add(bytes);
    size += bytes.length;
    return true;
  }

  synchronized boolean isTooLarge() {
    return tooLarge;
  }

  /** Whether it was given up because all places were taken. */
  synchronized boolean isCrowdedOut() {
    return crowdedOut;
  }

  /** Waits for a place; the request can then be sent again. */
  void awaitPlace() throws InterruptedException {
    limits.places().acquire();
    synchronized (this) {
      placed = true;
      crowdedOut = false;
    }
  }

  synchronized InputStream stream() {
    return new SequenceInputStream(
        Collections.enumeration(chunks.stream().map(ByteArrayInputStream::new).toList()));
  }

  String mostInWords() {
    return limits.most() >= 1 << 20 ? (limits.most() >> 20) + " MiB" : limits.most() + " bytes";
  }

  /** Gives the place back; the body must have been parsed by then. */
  @Override
  public synchronized void close() {
    if (placed) {
      placed = false;
      limits.places().release();
    }
  }
}
