package dev.drydock.dist.broken.drain.decide;

import dev.drydock.dist.broken.drain.Stray;
import java.time.Instant;

/** A decision that looks at the clock and at what is no value. */
public class Impure {
  public Instant decide(Stray unused) {
    return Instant.now();
  }
}
