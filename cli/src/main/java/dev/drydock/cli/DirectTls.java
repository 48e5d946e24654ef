package dev.drydock.cli;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.TlsVersion;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientImpl;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP clients that take the client certificate and the cluster's CA directly from the kubeconfig,
 * or the CA from a pod's service account. The client library would pass them through encrypted key
 * stores, read all CAs of the system, and load a cryptography library for some keys, which takes
 * half the run time of a short command. As with kubectl, a CA that is given is the only one that is
 * trusted. All other settings are left to the library.
 */
public final class DirectTls extends JdkHttpClientFactory {
  private static final Logger LOG = LoggerFactory.getLogger(DirectTls.class);

  private static final Duration LONGEST_END = Duration.ofMillis(200);

  /** Absent for the one that only makes others, each for the clients of one configuration. */
  private final @Nullable SSLParameters parameters;

  /** What we show, nothing if a token says who we are, and what servers have to show. */
  private record Sides(List<KeyManager> ours, List<TrustManager> theirs) {}

  /** For the client library, which finds it as a service. */
  public DirectTls() {
    this(null);
  }

  private DirectTls(@Nullable SSLParameters parameters) {
    this.parameters = parameters;
  }

  @Override
  public int priority() {
    return super.priority() + 1;
  }

  @Override
  public HttpClient.Builder newBuilder(Config config) {
    return new DirectTls(parameters(config)).configured(config);
  }

  private HttpClient.Builder configured(Config config) {
    Optional<Sides> sides = isPlain(config) ? sides(config) : Optional.empty();
    if (sides.isEmpty()) {
      return super.newBuilder(config);
    }
    // This copy trusts all certificates so that the library loads nothing. The next line replaces
    // its TLS settings before any connection is opened.
    HttpClient.Builder builder =
        super.newBuilder(withoutTls(config))
            .sslContext(
                sides.get().ours().toArray(KeyManager[]::new),
                sides.get().theirs().toArray(TrustManager[]::new));
    // Those of the copy would renew the copy's token.
    HttpClientUtils.createApplicableInterceptors(config, this)
        .forEach(builder::addOrReplaceInterceptor);
    if (!hasToken(config)) {
      // It looks for a newer token, and if there is none, in every request after the first minute:
      // it would read and parse the kubeconfig again each time.
      builder.addOrReplaceInterceptor(TokenRefreshInterceptor.NAME, null);
    }
    return builder;
  }

  /**
   * The JVM's cipher suites, but those with ChaCha20 first. The optimizing compiler, which would
   * use the processor's own AES, is switched off in our processes, and without it ChaCha20 takes a
   * quarter of the time.
   */
  private static @Nullable SSLParameters parameters(Config config) {
    TlsVersion[] versions = config.getTlsVersions();
    if (versions == null || versions.length == 0) {
      return null;
    }
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      // Empty lists, because null would load the CAs of the system.
      context.init(new KeyManager[0], new TrustManager[0], null);
      return new SSLParameters(
          Arrays.stream(context.getDefaultSSLParameters().getCipherSuites())
              .sorted(Comparator.comparing(suite -> !suite.contains("CHACHA20")))
              .toArray(String[]::new),
          Arrays.stream(versions).map(TlsVersion::javaName).toArray(String[]::new));
    } catch (GeneralSecurityException withoutTls) {
      return null; // the library reports it
    }
  }

  /** Called before each of the JVM's clients is made. */
  @Override
  protected void additionalConfig(java.net.http.HttpClient.Builder builder) {
    if (parameters != null) {
      builder.sslParameters(parameters);
    }
  }

  /**
   * Also stops the selector thread, which the library leaves to the garbage collector; otherwise
   * the JVM waits 0.3 s for it at the end of every command.
   */
  @Override
  protected void closeHttpClient(JdkHttpClientImpl client) {
    try {
      Method inner = JdkHttpClientImpl.class.getDeclaredMethod("getHttpClient");
      inner.setAccessible(true);
      if (inner.invoke(client) instanceof java.net.http.HttpClient connections) {
        connections.shutdownNow();
        var _ = connections.awaitTermination(LONGEST_END);
      }
    } catch (ReflectiveOperationException unlikeThisVersion) {
      LOG.debug(
          "could not stop the HTTP client's thread; the command ends more slowly",
          unlikeThisVersion);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      super.closeHttpClient(client);
    }
  }

  private static boolean isPlain(Config config) {
    return !config.isTrustCerts()
        && config.getOauthTokenProvider() == null
        && config.getAuthProvider() == null
        && config.getUsername() == null
        && config.getTrustStoreFile() == null
        && config.getKeyStoreFile() == null;
  }

  private static Optional<Sides> sides(Config config) {
    try {
      byte[] authority = read(config.getCaCertData(), config.getCaCertFile());
      byte[] certificate = read(config.getClientCertData(), config.getClientCertFile());
      byte[] key = read(config.getClientKeyData(), config.getClientKeyFile());
      if (authority == null || (certificate == null) != (key == null)) {
        return Optional.empty();
      }
      List<TrustManager> theirs = trust(ClientIdentity.certificates(authority));
      if (certificate != null && key != null) {
        return Optional.of(new Sides(List.of(ClientIdentity.of(certificate, key)), theirs));
      }
      return hasToken(config) ? Optional.of(new Sides(List.of(), theirs)) : Optional.empty();
    } catch (IOException | GeneralSecurityException | IllegalArgumentException unusual) {
      return Optional.empty(); // the library supports more encodings, or reports what is wrong
    }
  }

  private static boolean hasToken(Config config) {
    return config.getOauthToken() != null || config.getAutoOAuthToken() != null;
  }

  private static byte @Nullable [] read(@Nullable String data, @Nullable String file)
      throws IOException {
    if (data != null) {
      return Base64.getMimeDecoder().decode(data);
    }
    return file == null ? null : Files.readAllBytes(Path.of(file));
  }

  private static List<TrustManager> trust(X509Certificate[] authorities)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    for (int i = 0; i < authorities.length; i++) {
      store.setCertificateEntry("authority-" + i, authorities[i]);
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return List.of(factory.getTrustManagers());
  }

  private static Config withoutTls(Config config) {
    Config copy = new ConfigBuilder(config).withAutoConfigure(false).build();
    copy.setTrustCerts(true);
    copy.setCaCertData(null);
    copy.setCaCertFile(null);
    copy.setClientCertData(null);
    copy.setClientCertFile(null);
    copy.setClientKeyData(null);
    copy.setClientKeyFile(null);
    return copy;
  }
}
