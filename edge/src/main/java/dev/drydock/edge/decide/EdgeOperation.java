package dev.drydock.edge.decide;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What is done to the machine once its node is drained, in the order in which it is done. */
public enum EdgeOperation {
  REBOOT(DrainRequester.DEVICEOP),
  SHUTDOWN(DrainRequester.DEVICEOP),
  POWEROFF(DrainRequester.DEVICEOP),
  /** A shutdown that logind has begun and that waits for our delay lock. */
  LOGIND(DrainRequester.DEVICEOP),
  UPDATE(DrainRequester.UPDATE);

  private final DrainRequester requester;

  EdgeOperation(DrainRequester requester) {
    this.requester = requester;
  }

  public DrainRequester requester() {
    return requester;
  }

  /** Its name in files and on the command line. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<EdgeOperation> ofWord(String word) {
    return Arrays.stream(values()).filter(each -> each.word().equals(word)).findFirst();
  }
}
