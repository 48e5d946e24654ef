package dev.drydock.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the viewer types, line by line; each line is news. */
final class Keys {
  private static final Logger LOG = LoggerFactory.getLogger(Keys.class);
  private static final String END = "q";

  private final ChangeCounter changes;
  private int enters;
  private boolean quit;

  private Keys(ChangeCounter changes) {
    this.changes = changes;
  }

  /** Reads until the input ends, which means the same as {@code q}. */
  static Keys read(Reader in, Runnable onLine, ChangeCounter changes) {
    Keys keys = new Keys(changes);
    Thread.ofPlatform().daemon().name("keys").start(() -> keys.take(in, onLine));
    return keys;
  }

  private void take(Reader in, Runnable onLine) {
    BufferedReader reader = new BufferedReader(in);
    try {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        onLine.run();
        hear(line.strip());
      }
    } catch (IOException e) {
      LOG.warn("the terminal cannot be read any more, so the demo ends", e);
    }
    hear(END);
  }

  private void hear(String line) {
    synchronized (this) {
      if (line.equals(END)) {
        quit = true;
      } else {
        enters++;
      }
    }
    changes.tell();
  }

  /** Whether the viewer has seen enough. */
  synchronized boolean quit() {
    return quit;
  }

  /** Whether there was an Enter that nobody has taken yet; there is one less then. */
  synchronized boolean takeEnter() {
    if (enters == 0) {
      return false;
    }
    enters--;
    return true;
  }
}
