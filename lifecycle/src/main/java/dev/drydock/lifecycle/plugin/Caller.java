package dev.drydock.lifecycle.plugin;

import io.grpc.ClientInterceptor;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.stub.MetadataUtils;
import org.jspecify.annotations.Nullable;

/** The caller of a plugin, from a header of the call. */
enum Caller {
  /** A kubelet, or any other caller without the header. */
  KUBELET(null),
  /** Drydock's claimer. */
  CLAIMER("claimer"),
  /** The plugin itself, to find out that it can answer. */
  SELF("self");

  static final Metadata.Key<String> HEADER =
      Metadata.Key.of("drydock-caller", Metadata.ASCII_STRING_MARSHALLER);

  private static final Context.Key<Caller> CURRENT = Context.keyWithDefault("caller", KUBELET);

  private final @Nullable String sent;

  Caller(@Nullable String sent) {
    this.sent = sent;
  }

  /** The caller of what this thread serves. */
  static Caller current() {
    return CURRENT.get();
  }

  ClientInterceptor header() {
    Metadata headers = new Metadata();
    if (sent != null) {
      headers.put(HEADER, sent);
    }
    return MetadataUtils.newAttachHeadersInterceptor(headers);
  }

  /** Makes {@link #current} true of each call. */
  static final class Reader implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      Context context = Context.current().withValue(CURRENT, of(headers.get(HEADER)));
      return Contexts.interceptCall(context, call, headers, next);
    }

    private static Caller of(@Nullable String header) {
      for (Caller caller : values()) {
        if (caller.sent != null && caller.sent.equals(header)) {
          return caller;
        }
      }
      return KUBELET;
    }
  }
}
