package dev.drydock.cli;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** Turns what the Kubernetes client throws into the one line a user can act on. */
final class KubeErrors {
  private KubeErrors() {}

  static String explain(KubernetesClientException e) {
    return switch (e.getCode()) {
      case 0 -> unreachable(e);
      case 401 ->
          "not logged in: the API server does not accept the kubeconfig's credentials; renew them";
      case 403 -> "missing permission: " + serverMessage(e);
      default -> "the API server answered " + e.getCode() + ": " + serverMessage(e);
    };
  }

  private static String serverMessage(KubernetesClientException e) {
    String message = e.getStatus() == null ? e.getMessage() : e.getStatus().getMessage();
    return String.valueOf(message).lines().findFirst().orElse("no reason given");
  }

  private static String unreachable(KubernetesClientException e) {
    Throwable cause =
        Stream.iterate((Throwable) e, t -> t.getCause() != null, Throwable::getCause)
            .map(Throwable::getCause)
            .filter(KubeErrors::tellsWhy)
            .findFirst()
            .orElse(e);
    return switch (cause) {
      case ConnectException _ ->
          "cannot reach the API server: connection refused; is it running, and is the kubeconfig's server right?";
      case UnknownHostException _ ->
          "cannot reach the API server: unknown host; is the kubeconfig's server right?";
      case HttpTimeoutException _ ->
          "cannot reach the API server: no answer in time; is the network up?";
      case TimeoutException _ ->
          "cannot reach the API server: no answer in time; is the network up?";
      case SSLException tls ->
          "cannot trust the API server: "
              + tls.getMessage()
              + "; is this the right cluster's kubeconfig?";
      default -> "cannot reach the API server: " + cause.getMessage();
    };
  }

  private static boolean tellsWhy(Throwable t) {
    return t instanceof IOException || t instanceof TimeoutException;
  }
}
