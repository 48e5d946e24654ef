package dev.drydock.health.store.postgresql;

import dev.drydock.serve.tls.ClientTls;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.Properties;
import org.postgresql.ssl.WrappedFactory;

/**
 * Made by the driver by its name, for each connection: so certificates that were replaced are read
 * again. Takes keys in the usual forms of PEM, which the driver's own does not.
 */
public final class PostgresTls extends WrappedFactory {
  /** A file is missing or is none that it should be. */
  static final class Unusable extends Exception {
    private static final long serialVersionUID = 1L;

    Unusable(Exception cause) {
      super(cause.getMessage());
    }
  }

  /**
   * @param properties of the connection
   */
  public PostgresTls(Properties properties) throws Unusable {
    ClientTls tls =
        new ClientTls(
            file(properties, "sslcert"),
            file(properties, "sslkey"),
            file(properties, "sslrootcert"));
    boolean checked =
        properties.getProperty("sslmode", "").startsWith("verify") || tls.authorities().isPresent();
    try {
      factory = (checked ? tls.context() : tls.uncheckedContext()).getSocketFactory();
    } catch (IOException | GeneralSecurityException unusable) {
      throw new Unusable(unusable);
    }
  }

  private static Optional<Path> file(Properties properties, String name) {
    return Optional.ofNullable(properties.getProperty(name)).map(Path::of);
  }
}
