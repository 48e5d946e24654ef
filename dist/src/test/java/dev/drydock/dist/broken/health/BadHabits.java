package dev.drydock.dist.broken.health;

import java.time.Duration;
import java.util.logging.Level;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sleeps, prints, and logs by other means. */
public class BadHabits {
  final Logger logger = LoggerFactory.getLogger(BadHabits.class);

  public void work() throws InterruptedException {
    Thread.sleep(Duration.ZERO);
    System.out.println("done");
    java.util.logging.Logger.getLogger("work").log(Level.INFO, "done");
  }
}
