package dev.drydock.health.connector;

import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A client written from the published table of fields, without the .proto of this project. */
final class HandWritten {
  static final MethodDescriptor<byte[], byte[]> METHOD =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("datamodels.PlatformConnector/HealthEventOccurredV1")
          .setRequestMarshaller(new Bytes())
          .setResponseMarshaller(new Bytes())
          .build();

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private static final int VARINT = 0;
  private static final int LENGTH = 2;

  HandWritten number(int field, long value) {
    varint(field << 3 | VARINT);
    varint(value);
    return this;
  }

  HandWritten text(int field, String value) {
    return message(field, value.getBytes(StandardCharsets.UTF_8));
  }

  HandWritten message(int field, HandWritten value) {
    return message(field, value.bytes());
  }

  HandWritten message(int field, byte[] value) {
    varint(field << 3 | LENGTH);
    varint(value.length);
    bytes.writeBytes(value);
    return this;
  }

  private void varint(long value) {
    long left = value;
    while ((left & ~0x7FL) != 0) {
      bytes.write((int) ((left & 0x7F) | 0x80));
      left >>>= 7;
    }
    bytes.write((int) left);
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
