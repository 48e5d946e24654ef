package dev.drydock.serve.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Collectors;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/** Keys and certificates as text. */
final class Pem {
  private Pem() {}

  static String write(PrivateKey key) {
    return write("PRIVATE KEY", key.getEncoded());
  }

  static String write(List<X509Certificate> certificates) {
    return certificates.stream().map(Pem::write).collect(Collectors.joining());
  }

  private static String write(X509Certificate certificate) {
    try {
      return write("CERTIFICATE", certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read can be written", e);
    }
  }

  private static String write(String heading, byte[] content) {
    StringWriter text = new StringWriter();
    try (PemWriter writer = new PemWriter(text)) {
      writer.writeObject(new PemObject(heading, content));
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory cannot fail", e);
    }
    return text.toString();
  }

  static List<X509Certificate> certificates(String text) throws GeneralSecurityException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)))
        .stream()
        .map(X509Certificate.class::cast)
        .toList();
  }

  /** In any of the usual forms, not encrypted. */
  static PrivateKey privateKey(String text) throws GeneralSecurityException {
    try (PEMParser parser = new PEMParser(new StringReader(text))) {
      JcaPEMKeyConverter converter = new JcaPEMKeyConverter();
      for (Object part = parser.readObject(); part != null; part = parser.readObject()) {
        if (part instanceof PEMKeyPair pair) {
          return converter.getPrivateKey(pair.getPrivateKeyInfo());
        } else if (part instanceof PrivateKeyInfo key) {
          return converter.getPrivateKey(key);
        }
      }
    } catch (IOException malformed) {
      throw new GeneralSecurityException("not a private key: " + malformed.getMessage(), malformed);
    }
    throw new GeneralSecurityException("there is no private key in it");
  }
}
