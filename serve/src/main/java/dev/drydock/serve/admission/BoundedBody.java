package dev.drydock.serve.admission;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The body of a request up to a size; reading beyond it fails. */
final class BoundedBody extends FilterInputStream {
  private final int most;
  private long left;

  /** The message is one line for people. */
  static final class TooLarge extends IOException {
    private static final long serialVersionUID = 1L;

    TooLarge(int most) {
      super("the request is larger than " + most + " bytes");
    }

    @Override
    public String getMessage() {
      return String.valueOf(super.getMessage());
    }
  }

  BoundedBody(InputStream body, int most) {
    super(body);
    this.most = most;
    left = most;
  }

  @Override
  public int read() throws IOException {
    int next = super.read();
    if (next >= 0) {
      count(1);
    }
    return next;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int count = super.read(bytes, offset, length);
    if (count > 0) {
      count(count);
    }
    return count;
  }

  private void count(int bytes) throws TooLarge {
    left -= bytes;
    if (left < 0) {
      throw new TooLarge(most);
    }
  }
}
