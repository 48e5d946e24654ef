package dev.drydock.health.spool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The file operations of a spool, one by one, so that tests can let a machine die between any two.
 */
interface SpoolFiles extends AutoCloseable {
  /** An open file. */
  interface SpoolFile extends AutoCloseable {
    long size() throws IOException;

    /** Reads until the buffer is full or the file ends. */
    void read(ByteBuffer into, long offset) throws IOException;

    /** Writes all of the buffer. */
    void write(ByteBuffer from, long offset) throws IOException;

    void truncate(long size) throws IOException;

    /** What was written survives a crash of the machine from now on. */
    void force() throws IOException;

    @Override
    void close() throws IOException;
  }

  /** Names, in any order. */
  List<String> list() throws IOException;

  /** Opens a file, and makes it if it is missing. */
  SpoolFile open(String name) throws IOException;

  void rename(String from, String to) throws IOException;

  void delete(String name) throws IOException;

  /** Names that were added, renamed or removed stay so after a crash of the machine. */
  void forceNames() throws IOException;

  /** Another process may use them from now on. */
  @Override
  void close() throws IOException;
}
