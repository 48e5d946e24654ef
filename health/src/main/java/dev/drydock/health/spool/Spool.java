package dev.drydock.health.spool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Batches on the node's disk until they are forwarded. What was taken survives kill -9 and a
 * reboot. Callers who come at the same time share one write. Thread-safe.
 */
public final class Spool implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Spool.class);
  private static final String REFUSED = "refused-";

  /** What a small file takes on a disk. */
  private static final long BLOCK = 4096;

  private final SpoolFiles files;
  private final SpoolLimits limits;
  private final Clock clock;
  private final String id;
  private final Deque<Waiting> queue = new ArrayDeque<>();
  private final ReentrantLock writing = new ReentrantLock();

  /** Oldest first; the last one is written. Guarded by this. */
  private final Deque<SpoolSegment> segments = new ArrayDeque<>();

  private long next;
  private long taken;
  private long forwarded;
  private long readOffset;
  private @Nullable Instant oldest;

  /** The bytes of batches that were put aside. */
  private long refused;

  private static final class Waiting {
    private final byte[] payload;
    private @Nullable IOException failure;
    private @Nullable SpoolFull full;
    private boolean written;
    private boolean done;

    private Waiting(byte[] payload) {
      this.payload = payload;
    }
  }

  private Spool(SpoolFiles files, SpoolLimits limits, Clock clock, String id) {
    this.files = files;
    this.limits = limits;
    this.clock = clock;
    this.id = id;
  }

  public static Spool open(Path folder, SpoolLimits limits, Clock clock) throws IOException {
    return open(new SpoolDisk(folder), limits, clock);
  }

  /** Also repairs what a crash has left. */
  static Spool open(SpoolFiles files, SpoolLimits limits, Clock clock) throws IOException {
    boolean opened = false;
    try {
      List<String> names = files.list().stream().filter(SpoolSegment::isName).sorted().toList();
      Spool spool = new Spool(files, limits, clock, SpoolMarks.id(files, names.isEmpty()));
      spool.recover(names);
      opened = true;
      return spool;
    } finally {
      if (!opened) {
        files.close();
      }
    }
  }

  private synchronized void recover(List<String> names) throws IOException {
    for (String name : names) {
      SpoolSegment segment = SpoolSegment.open(files, name);
      boolean newest = name.equals(names.getLast());
      long torn = segment.recover(newest);
      if (torn > 0 && !newest) {
        LOG.error("{} is damaged: {} bytes of it are lost", name, torn);
      } else if (torn > 0) {
        LOG.warn("{}: cut off {} bytes of a batch that was never acknowledged", name, torn);
      }
      segments.add(segment);
    }
    forwarded = SpoolMarks.position(files);
    SpoolSegment newest = segments.peekLast();
    next = Math.max(newest == null ? 1 : newest.last() + 1, forwarded + 1);
    taken = next - 1;
    dropForwarded();
    findOldest();
    refused = refusedBytes();
  }

  /** Batches that were put aside stay until a person removes them, and take their room. */
  private long refusedBytes() throws IOException {
    long bytes = 0;
    for (String name : files.list()) {
      if (name.startsWith(REFUSED)) {
        try (SpoolFiles.SpoolFile file = files.open(name)) {
          bytes += Math.max(BLOCK, file.size());
        }
      }
    }
    return bytes;
  }

  /** The id of the spool, the same as long as the folder exists. */
  public String id() {
    return id;
  }

  /**
   * Takes a batch: durable when this returns.
   *
   * @throws SpoolFull if there is no room; nothing is taken
   * @throws IOException if it cannot be written; nothing is taken
   */
  public void append(byte[] payload) throws SpoolFull, IOException {
    Waiting mine = new Waiting(payload);
    synchronized (queue) {
      queue.add(mine);
    }
    writing.lock();
    try {
      if (!mine.done) {
        writeQueue();
      }
    } finally {
      writing.unlock();
    }
    if (mine.full != null) {
      throw mine.full;
    }
    if (!mine.written) {
      throw mine.failure == null
          ? new IOException("the batch was not written")
          : new IOException(mine.failure.getMessage(), mine.failure);
    }
  }

  private void writeQueue() {
    List<Waiting> together;
    synchronized (queue) {
      together = List.copyOf(queue);
      queue.clear();
    }
    try {
      write(together);
      together.forEach(each -> each.written = true);
    } catch (IOException failed) {
      together.forEach(each -> each.failure = failed);
    } finally {
      together.forEach(each -> each.done = true);
    }
  }

  private void write(List<Waiting> together) throws IOException {
    long millis = clock.millis();
    List<SpoolRecord> records = new ArrayList<>();
    int size = 0;
    SpoolSegment segment;
    synchronized (this) {
      for (Waiting each : together) {
        each.full = refusal(size + SpoolRecord.HEADER + (long) each.payload.length, millis);
        if (each.full == null) {
          SpoolRecord record = new SpoolRecord(next + records.size(), millis, each.payload);
          records.add(record);
          size += record.size();
        }
      }
      if (records.isEmpty()) {
        return;
      }
      segment = writable();
    }
    ByteBuffer buffer = ByteBuffer.allocate(size);
    records.forEach(record -> record.write(buffer));
    boolean written = false;
    try {
      segment.append(buffer.flip(), records.getLast().number());
      written = true;
    } finally {
      synchronized (this) {
        if (written) {
          taken = records.getLast().number();
          oldest = oldest == null ? Instant.ofEpochMilli(millis) : oldest;
        } else {
          abandon(segment);
        }
        // also after a failure: what of it the disk has must not be taken for another batch
        next += records.size();
      }
    }
  }

  private @Nullable SpoolFull refusal(long more, long millis) throws IOException {
    long used = segments.stream().mapToLong(SpoolSegment::end).sum();
    if (refused > 0 && used + refused + more > limits.maxBytes()) {
      refused = refusedBytes(); // a person may have removed some
    }
    if (used + refused + more > limits.maxBytes()) {
      return new SpoolFull(
          "the spool is full: %d of %d bytes wait to be forwarded"
                  .formatted(used, limits.maxBytes())
              + (refused > 0
                  ? ", and %d are in files %sN of batches that the ingest refused"
                      .formatted(refused, REFUSED)
                  : ""));
    }
    Duration age =
        oldest == null ? Duration.ZERO : Duration.between(oldest, Instant.ofEpochMilli(millis));
    if (limits.maxAge().isPositive() && age.compareTo(limits.maxAge()) > 0) {
      return new SpoolFull(
          "the spool is full: its oldest batch has been waiting for %d s to be forwarded"
              .formatted(age.toSeconds()));
    }
    return null;
  }

  private SpoolSegment writable() throws IOException {
    SpoolSegment newest = segments.peekLast();
    if (newest != null && newest.end() < limits.segmentBytes() && newest.last() == next - 1) {
      return newest;
    }
    SpoolSegment segment = SpoolSegment.open(files, SpoolSegment.name(next));
    files.forceNames();
    segments.add(segment);
    if (segments.size() == 1) {
      readOffset = 0;
    }
    return segment;
  }

  /**
   * After a failed write nobody knows what of it the disk has; so nothing more is written there.
   */
  private void abandon(SpoolSegment segment) {
    if (segment.end() == 0) {
      segments.remove(segment);
      remove(segment);
    }
    // else a new one is begun, because its last number is not the one before the next
  }

  /** The oldest batches that are not forwarded, in order; at least one if there is any. */
  public List<SpoolRecord> peek(int most, long mostBytes) throws IOException {
    List<SpoolSegment> files;
    long offset;
    synchronized (this) {
      files = List.copyOf(segments);
      offset = readOffset;
    }
    List<SpoolRecord> records = new ArrayList<>();
    long bytes = 0;
    for (SpoolSegment segment : files) {
      while (offset < segment.end()) {
        ByteBuffer some = segment.readAhead(offset);
        Optional<SpoolRecord> record = SpoolRecord.read(some);
        if (record.isEmpty()) {
          record = segment.read(offset);
          if (record.isEmpty()) {
            LOG.error("{} is damaged at byte {}: the rest of it is lost", segment.name(), offset);
            break;
          }
          some.position(some.limit());
        }
        while (record.isPresent()) {
          if (records.size() == most
              || (!records.isEmpty() && bytes + record.get().size() > mostBytes)) {
            return records;
          }
          records.add(record.get());
          bytes += record.get().size();
          offset += record.get().size();
          record = SpoolRecord.read(some);
        }
      }
      offset = 0;
    }
    return records;
  }

  /** Everything up to this number is forwarded. */
  public synchronized void forwarded(long number) throws IOException {
    if (number <= forwarded) {
      return;
    }
    forwarded = number;
    dropForwarded();
    SpoolMarks.writePosition(files, forwarded);
    findOldest();
  }

  /** Forwarded files go. The newest stays: it says which numbers were given already. */
  private void dropForwarded() throws IOException {
    SpoolSegment first = segments.peekFirst();
    while (first != null && first.last() <= forwarded && segments.size() > 1) {
      segments.removeFirst();
      remove(first);
      readOffset = 0;
      first = segments.peekFirst();
    }
    if (first != null) {
      readOffset = first.skip(readOffset, forwarded);
    }
  }

  private void remove(SpoolSegment segment) {
    try {
      segment.close();
      files.delete(segment.name());
    } catch (IOException failed) {
      LOG.warn("cannot remove {}: {}", segment.name(), failed.getMessage());
    }
  }

  private void findOldest() throws IOException {
    SpoolSegment first = segments.peekFirst();
    Optional<SpoolRecord> record = first == null ? Optional.empty() : first.read(readOffset);
    oldest =
        record
            .filter(found -> found.number() > forwarded)
            .map(found -> Instant.ofEpochMilli(found.millis()))
            .orElse(null);
  }

  /** Keeps a batch that will never be taken in a file of its own, and goes on behind it. */
  public synchronized void putAside(SpoolRecord record) throws IOException {
    try (SpoolFiles.SpoolFile file = files.open(REFUSED + record.number())) {
      file.truncate(0);
      file.write(ByteBuffer.wrap(record.payload()), 0);
      file.force();
    }
    files.forceNames();
    refused += Math.max(BLOCK, record.payload().length);
    forwarded(record.number());
  }

  /** The bytes of batches that wait or were put aside. */
  public synchronized long bytes() {
    return segments.stream().mapToLong(SpoolSegment::end).sum() + refused;
  }

  /** How many batches were ever taken. */
  public synchronized long taken() {
    return taken;
  }

  /** How many batches wait. */
  public synchronized long waiting() {
    return Math.max(0, taken - forwarded);
  }

  @Override
  public synchronized void close() throws IOException {
    try {
      for (SpoolSegment segment : segments) {
        segment.close();
      }
      segments.clear();
    } finally {
      files.close();
    }
  }
}
