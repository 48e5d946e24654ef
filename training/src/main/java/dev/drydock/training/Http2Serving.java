package dev.drydock.training;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersDecoder;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The server's side of one HTTP/2 connection, for requests and answers that fit into a frame. */
final class Http2Serving implements Runnable {
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int ACK = 1;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final int PADDED = 8;
  private static final int PRIORITY = 0x20;
  private static final int PREFACE = 24;
  private static final byte[] NO_DYNAMIC_TABLE = {0, 1, 0, 0, 0, 0};
  private static final byte[] STATUS_200 = {(byte) 0x88};
  private static final byte[] STATUS_201 = {8, 3, '2', '0', '1'};
  private static final byte[] STATUS_404 = {(byte) 0x8d};
  private static final int LARGEST_FRAME = 16_384;

  /** Where the answer to a request goes; a watch is answered more than once. */
  interface Reply {
    void send(String text, boolean last);

    void notFound();
  }

  /** Answers requests. */
  interface Handler {
    void handle(String method, String path, String body, Reply reply);
  }

  private record Request(String method, String path, StringBuilder body) {}

  private final Socket socket;
  private final DataOutputStream out;
  private final Handler handler;
  private final Http2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false);
  private final Map<Integer, Request> open = new HashMap<>();

  Http2Serving(Socket socket, Handler handler) throws IOException {
    this.socket = socket;
    this.out = new DataOutputStream(socket.getOutputStream());
    this.handler = handler;
  }

  @Override
  public void run() {
    try (socket) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      in.skipNBytes(PREFACE);
      write(SETTINGS, 0, 0, NO_DYNAMIC_TABLE);
      while (frame(in)) {
        // until the client goes
      }
    } catch (IOException gone) {
      // A client that is done closes the connection in any way it likes.
    }
  }

  private boolean frame(DataInputStream in) throws IOException {
    int head = in.readInt();
    int type = head & 0xff;
    int flags = in.readUnsignedByte();
    int stream = in.readInt();
    byte[] payload = in.readNBytes(head >>> 8);
    switch (type) {
      case HEADERS -> headers(stream, flags, ByteBuffer.wrap(payload));
      case DATA -> data(stream, flags, payload);
      case SETTINGS -> acknowledge(SETTINGS, flags, new byte[0]);
      case PING -> acknowledge(PING, flags, payload);
      case GOAWAY -> {
        return false;
      }
      default -> {} // windows are wider than anything here
    }
    return true;
  }

  private void headers(int stream, int flags, ByteBuffer block) throws IOException {
    int padding = (flags & PADDED) != 0 ? block.get() : 0;
    if ((flags & PRIORITY) != 0) {
      block.position(block.position() + 5);
    }
    block.limit(block.limit() - padding);
    try {
      Http2Headers headers = decoder.decodeHeaders(stream, Unpooled.wrappedBuffer(block));
      open.put(
          stream,
          new Request(
              String.valueOf(headers.method()),
              String.valueOf(headers.path()),
              new StringBuilder()));
    } catch (Http2Exception e) {
      throw new IOException(e);
    }
    endIfLast(stream, flags);
  }

  private void data(int stream, int flags, byte[] payload) {
    Request request = open.get(stream);
    if (request != null) {
      request.body().append(new String(payload, StandardCharsets.UTF_8));
      endIfLast(stream, flags);
    }
  }

  private void endIfLast(int stream, int flags) {
    Request request = (flags & END_STREAM) == 0 ? null : open.remove(stream);
    if (request != null) {
      handler.handle(
          request.method(), request.path(), request.body().toString(), reply(stream, request));
    }
  }

  private Reply reply(int stream, Request request) {
    return new Reply() {
      private boolean begun;

      @Override
      public void send(String text, boolean last) {
        send(request.method().equals("POST") ? STATUS_201 : STATUS_200, text, last);
      }

      @Override
      public void notFound() {
        send(STATUS_404, "{}", true);
      }

      private void send(byte[] status, String text, boolean last) {
        try {
          if (!begun) {
            begun = true;
            write(HEADERS, END_HEADERS, stream, status);
          }
          byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
          for (int from = 0; from < bytes.length; from += LARGEST_FRAME) {
            int to = Math.min(bytes.length, from + LARGEST_FRAME);
            int flags = last && to == bytes.length ? END_STREAM : 0;
            write(DATA, flags, stream, Arrays.copyOfRange(bytes, from, to));
          }
        } catch (IOException gone) {
          throw new UncheckedIOException(gone);
        }
      }
    };
  }

  private void acknowledge(int type, int flags, byte[] payload) throws IOException {
    if ((flags & ACK) == 0) {
      write(type, ACK, 0, payload);
    }
  }

  private synchronized void write(int type, int flags, int stream, byte[] payload)
      throws IOException {
    out.writeInt(payload.length << 8 | type);
    out.writeByte(flags);
    out.writeInt(stream);
    out.write(payload);
    out.flush();
  }
}
