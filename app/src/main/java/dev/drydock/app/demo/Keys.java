package dev.drydock.app.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the viewer types, line by line. */
final class Keys {
  private static final Logger LOG = LoggerFactory.getLogger(Keys.class);
  private static final String END = "q";
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  /** Nobody types anything. */
  static Keys none() {
    return new Keys();
  }

  /** Reads until the input ends, which means the same as {@code q}. */
  static Keys read(Reader in, Runnable onLine) {
    Keys keys = new Keys();
    Thread.ofPlatform().daemon().name("keys").start(() -> keys.take(in, onLine));
    return keys;
  }

  private void take(Reader in, Runnable onLine) {
    BufferedReader reader = new BufferedReader(in);
    try {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        onLine.run();
        lines.add(line.strip());
      }
    } catch (IOException e) {
      LOG.warn("the terminal cannot be read any more, so the demo ends", e);
    }
    lines.add(END);
  }

  /** Waits for Enter, or for that long. */
  void await(@Nullable Duration atMost) throws InterruptedException {
    String line =
        atMost == null ? lines.take() : lines.poll(atMost.toMillis(), TimeUnit.MILLISECONDS);
    if (END.equals(line)) {
      throw new Quit();
    }
  }
}
