package dev.drydock.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/** Prints everything as {@link SafeText}; each line at once. */
final class SafeWriter extends PrintWriter {
  private final PrintWriter unfiltered;

  private SafeWriter(PrintWriter unfiltered) {
    super(new Filter(unfiltered), true);
    this.unfiltered = unfiltered;
  }

  static SafeWriter of(PrintWriter writer) {
    return writer instanceof SafeWriter safe ? safe : new SafeWriter(writer);
  }

  /** A control sequence of our own. */
  void control(String sequence) {
    unfiltered.print(sequence);
  }

  @Override
  public boolean checkError() {
    boolean lost = super.checkError();
    return unfiltered.checkError() || lost;
  }

  private static final class Filter extends Writer {
    private final PrintWriter target;

    Filter(PrintWriter target) {
      this.target = target;
    }

    @Override
    public void write(char[] letters, int offset, int length) throws IOException {
      target.write(SafeText.lines(new String(letters, offset, length)));
    }

    @Override
    public void flush() {
      target.flush();
    }

    @Override
    public void close() {
      target.close();
    }
  }
}
