package dev.drydock.cli;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/** A server that only lists nodes by name. */
final class TestingNodes implements AutoCloseable {
  private final HttpServer server;

  TestingNodes(String... names) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    String items =
        Arrays.stream(names)
            .map("{\"metadata\":{\"name\":\"%s\"}}"::formatted)
            .collect(Collectors.joining(","));
    byte[] list =
        "{\"kind\":\"NodeList\",\"apiVersion\":\"v1\",\"items\":[%s]}"
            .formatted(items)
            .getBytes(StandardCharsets.UTF_8);
    server.createContext(
        "/api/v1/nodes",
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, list.length);
          exchange.getResponseBody().write(list);
          exchange.close();
        });
    server.start();
  }

  Path kubeconfig(Path folder) throws IOException {
    return Kubeconfigs.forServer(
        folder.resolve("kubeconfig"), "http://127.0.0.1:" + server.getAddress().getPort());
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
