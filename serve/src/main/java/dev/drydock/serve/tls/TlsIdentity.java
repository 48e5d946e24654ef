package dev.drydock.serve.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Who a server is: its private key, and its certificate followed by those that lead to an
 * authority.
 */
public record TlsIdentity(PrivateKey key, List<X509Certificate> chain) {
  public X509Certificate certificate() {
    return chain.getFirst();
  }

  String name() {
    return certificate().getSerialNumber().toString(Character.MAX_RADIX);
  }
}
