package dev.drydock.image;

import org.jspecify.annotations.Nullable;

/** The image cannot be built; the message is one line that says why and what to do. */
final class ImageFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ImageFailure(String message) {
    this(message, null);
  }

  ImageFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
