package dev.drydock.health.spool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A disk in memory that knows what is durable. At a chosen operation it fails, or the machine dies:
 * then what was not forced is there, is not there, or is there in part.
 */
final class CrashingFiles implements SpoolFiles {
  /** The machine is dead. */
  static final class Crash extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** What of the unforced bytes and names a crash leaves. */
  enum Left {
    ALL,
    NOTHING,
    PART,
    GARBAGE
  }

  private static final class Content {
    private byte[] now = new byte[0];
    private byte[] durable = new byte[0];
  }

  private Map<String, Content> names = new HashMap<>();
  private Map<String, Content> durableNames = new HashMap<>();
  private final Set<Integer> failing = new HashSet<>();
  private int operations;
  private int crashAt = Integer.MAX_VALUE;

  void crashAt(int operation) {
    crashAt = operation;
  }

  void failAt(int operation) {
    failing.add(operation);
  }

  void heal() {
    failing.clear();
  }

  int operations() {
    return operations;
  }

  private void operation() throws IOException {
    int now = operations++;
    if (now >= crashAt) {
      throw new Crash();
    }
    if (failing.contains(now)) {
      throw new IOException("no space left on device");
    }
  }

  /** The machine starts again. */
  void reboot(Left left, Random random) {
    crashAt = Integer.MAX_VALUE;
    if (left == Left.NOTHING) {
      names = new HashMap<>(durableNames);
    }
    for (Content content : names.values()) {
      content.now =
          switch (left) {
            case ALL -> content.now;
            case NOTHING -> content.durable;
            case PART -> mixed(content, random, false);
            case GARBAGE -> mixed(content, random, true);
          };
      content.durable = content.now.clone();
    }
    durableNames = new HashMap<>(names);
  }

  /** The forced bytes stay; of the others some. */
  private static byte[] mixed(Content content, Random random, boolean garbage) {
    if (content.now.length < content.durable.length) {
      return content.durable;
    }
    int unforced = content.now.length - content.durable.length;
    byte[] mixed =
        Arrays.copyOf(content.now, content.durable.length + random.nextInt(unforced + 1));
    if (garbage) {
      for (int i = content.durable.length; i < mixed.length; i++) {
        mixed[i] = (byte) (random.nextInt(4) == 0 ? random.nextInt() : mixed[i]);
      }
    }
    return mixed;
  }

  @Override
  public List<String> list() {
    return List.copyOf(names.keySet());
  }

  @Override
  public SpoolFile open(String name) throws IOException {
    operation();
    Content content = names.computeIfAbsent(name, _ -> new Content());
    return new Open(content);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    operation();
    Content content = names.remove(from);
    if (content == null) {
      throw new IOException("no such file");
    }
    names.put(to, content);
  }

  @Override
  public void delete(String name) throws IOException {
    operation();
    names.remove(name);
  }

  @Override
  public void forceNames() throws IOException {
    operation();
    durableNames = new HashMap<>(names);
  }

  private final class Open implements SpoolFile {
    private final Content content;

    Open(Content content) {
      this.content = content;
    }

    @Override
    public long size() {
      return content.now.length;
    }

    @Override
    public void read(ByteBuffer into, long offset) {
      int count = Math.min(into.remaining(), content.now.length - (int) offset);
      if (count > 0) {
        into.put(content.now, (int) offset, count);
      }
    }

    /** A machine that dies here has written some of it. */
    @Override
    public void write(ByteBuffer from, long offset) throws IOException {
      byte[] before = content.now;
      byte[] after =
          Arrays.copyOf(before, Math.max(before.length, (int) offset + from.remaining()));
      from.get(after, (int) offset, from.remaining());
      content.now = after;
      operation();
    }

    @Override
    public void truncate(long size) throws IOException {
      operation();
      content.now = Arrays.copyOf(content.now, (int) Math.min(size, content.now.length));
      content.durable =
          Arrays.copyOf(content.durable, (int) Math.min(size, content.durable.length));
    }

    @Override
    public void force() throws IOException {
      operation();
      content.durable = content.now.clone();
    }

    @Override
    public void close() {}
  }

  @Override
  public void close() {}
}
