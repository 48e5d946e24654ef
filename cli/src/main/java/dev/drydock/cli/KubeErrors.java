package dev.drydock.cli;

import dev.drydock.contracts.FirstLine;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** Turns failed requests into one line that says what to do. */
public final class KubeErrors {
  private static final String UNKNOWN_HOST =
      "cannot reach the API server: unknown host; is the kubeconfig's server right?";
  private static final String REFUSED =
      "cannot reach the API server: connection refused; is it running, and is the kubeconfig's server right?";
  private static final String NO_ANSWER =
      "cannot reach the API server: no answer in time; is the network up?";

  private KubeErrors() {}

  static String explain(KubernetesClientException e) {
    if (e.getCode() <= 0) { // no response: the library reports 0 or -1
      return unreachable(e);
    }
    String said = serverMessage(e);
    return refusal(e.getCode(), said)
        .orElseGet(() -> "the API server answered " + e.getCode() + ": " + said);
  }

  /** What the code of an answer means to the user, where it has the same meaning everywhere. */
  public static Optional<String> refusal(int code, String said) {
    return switch (code) {
      case 401 ->
          Optional.of(
              "not logged in: the API server does not accept the kubeconfig's credentials; renew them");
      case 403 -> Optional.of("missing permission: " + said);
      default -> Optional.empty();
    };
  }

  private static String serverMessage(KubernetesClientException e) {
    String message = e.getStatus() == null ? e.getMessage() : e.getStatus().getMessage();
    return String.valueOf(message).lines().findFirst().orElse("no reason given");
  }

  private static String unreachable(KubernetesClientException e) {
    List<Throwable> causes =
        Stream.iterate(e.getCause(), Objects::nonNull, Throwable::getCause).toList();
    // The JDK reports an unknown host as a failed connect; the reason is in the cause.
    return Stream.of(UnresolvedAddressException.class, Throwable.class)
        .flatMap(kind -> causes.stream().filter(kind::isInstance))
        .flatMap(cause -> reason(cause).stream())
        .findFirst()
        .orElseGet(() -> "cannot reach the API server: " + innermost(causes, e));
  }

  private static Optional<String> reason(Throwable cause) {
    return Optional.ofNullable(
        switch (cause) {
          case UnresolvedAddressException _ -> UNKNOWN_HOST;
          case UnknownHostException _ -> UNKNOWN_HOST;
          case ConnectException _ -> REFUSED;
          case HttpTimeoutException _ -> NO_ANSWER;
          case TimeoutException _ -> NO_ANSWER;
          case SSLException tls ->
              "cannot trust the API server: "
                  + FirstLine.of(tls)
                  + "; is this the right cluster's kubeconfig?";
          default -> null;
        });
  }

  private static String innermost(List<Throwable> causes, Throwable e) {
    return FirstLine.of(causes.isEmpty() ? e : causes.getLast());
  }
}
