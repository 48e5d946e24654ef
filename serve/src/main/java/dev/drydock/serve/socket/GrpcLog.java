package dev.drydock.serve.socket;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over what gRPC logs, which would print a stack trace for every client that sends garbage:
 * here it is one line in the format of all others.
 */
final class GrpcLog extends Handler {
  private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(GrpcLog.class);

  /** A constant, because a logger that nobody refers to loses its handlers. */
  private static final Logger GRPC = Logger.getLogger("io.grpc");

  static {
    GRPC.setUseParentHandlers(false);
    GRPC.addHandler(new GrpcLog());
  }

  private GrpcLog() {}

  /** Once for the whole process. */
  static void takeOver() {
    // done by loading this class
  }

  @Override
  public void publish(LogRecord told) {
    String line = line(told);
    if (told.getLevel().intValue() >= Level.WARNING.intValue()) {
      LOG.warn("gRPC: {}", line);
    } else {
      LOG.info("gRPC: {}", line);
    }
    if (told.getThrown() != null) {
      LOG.debug("stack trace of: {}", line, told.getThrown());
    }
  }

  static String line(LogRecord told) {
    Throwable cause = told.getThrown();
    return cause == null ? told.getMessage() : told.getMessage() + ": " + cause.getMessage();
  }

  @Override
  public void flush() {
    // nothing is kept here
  }

  @Override
  public void close() {
    // nothing is kept here
  }
}
