package dev.drydock.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the viewer's input; each line counts as a change. */
final class Keys {
  private static final Logger LOG = LoggerFactory.getLogger(Keys.class);
  private static final String END = "q";

  private final ChangeCounter changes;
  private int enters;
  private boolean quit;

  private Keys(ChangeCounter changes) {
    this.changes = changes;
  }

  /** Reads until the input ends, which counts as {@code q}. */
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
      LOG.warn("cannot read the terminal any more; the demo ends", e);
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
    changes.changed();
  }

  /** Whether the viewer wants to quit. */
  synchronized boolean quit() {
    return quit;
  }

  /** Takes one pending Enter, if there is one. */
  synchronized boolean takeEnter() {
    if (enters == 0) {
      return false;
    }
    enters--;
    return true;
  }
}
