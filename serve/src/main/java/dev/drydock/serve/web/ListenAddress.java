package dev.drydock.serve.web;

import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses that a server listens on, as {@code [HOST]:PORT}. */
public final class ListenAddress {
  public static final int LAST_PORT = 65_535;

  private static final Pattern PARTS = Pattern.compile("(.*):(\\d{1,5})");

  private ListenAddress() {}

  /** Without a host all of this machine's; empty for a text that is no address. */
  public static Optional<InetSocketAddress> find(String text) {
    Matcher parts = PARTS.matcher(text);
    if (!parts.matches() || Integer.parseInt(parts.group(2)) > LAST_PORT) {
      return Optional.empty();
    }
    int port = Integer.parseInt(parts.group(2));
    String host = parts.group(1);
    return Optional.of(
        host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port));
  }
}
