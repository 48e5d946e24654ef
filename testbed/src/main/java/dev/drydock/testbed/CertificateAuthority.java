package dev.drydock.testbed;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;

/** Issues the certificates of one cluster; its key never leaves the cluster's folder. */
final class CertificateAuthority {

  /** A certificate with its private key. */
  record Credentials(X509Certificate certificate, KeyPair keys) {
    String certificatePem() {
      return pem(certificate);
    }

    String keyPem() {
      return privateKeyPem(keys);
    }
  }

  private static final Duration VALIDITY = Duration.ofDays(3650);
  // backdated, so that containers and machines with a slightly slow clock accept them
  private static final Duration BACKDATED = Duration.ofHours(1);

  private final SecureRandom random = new SecureRandom();
  private final Clock clock;
  private final X500Name name;
  private final Credentials own;

  CertificateAuthority(String commonName, Clock clock) {
    this.clock = clock;
    this.name = new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, commonName).build();
    KeyPair pair = newKeyPair();
    this.own =
        issue(
            name,
            pair,
            pair.getPrivate(),
            builder ->
                builder
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(true))
                    .addExtension(
                        Extension.keyUsage,
                        true,
                        new KeyUsage(KeyUsage.keyCertSign | KeyUsage.digitalSignature)));
  }

  Credentials own() {
    return own;
  }

  /**
   * For TLS servers on this machine, also under other addresses; valid as a client certificate too,
   * which etcd members need.
   */
  Credentials server(String commonName, String... addresses) {
    X500Name subject = new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, commonName).build();
    List<GeneralName> all = new ArrayList<>();
    all.add(new GeneralName(GeneralName.dNSName, "localhost"));
    all.add(new GeneralName(GeneralName.dNSName, "kubernetes.default.svc"));
    all.add(new GeneralName(GeneralName.iPAddress, "127.0.0.1"));
    for (String address : addresses) {
      all.add(new GeneralName(GeneralName.iPAddress, address));
    }
    GeneralNames names = new GeneralNames(all.toArray(GeneralName[]::new));
    return issue(
        subject,
        newKeyPair(),
        own.keys().getPrivate(),
        builder ->
            builder
                .addExtension(Extension.subjectAlternativeName, false, names)
                .addExtension(
                    Extension.extendedKeyUsage,
                    false,
                    new ExtendedKeyUsage(
                        new KeyPurposeId[] {
                          KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth
                        })));
  }

  /** Kubernetes reads the user from the common name and the groups from the organizations. */
  Credentials client(String user, String... groups) {
    X500NameBuilder subject = new X500NameBuilder(BCStyle.INSTANCE);
    for (String group : groups) {
      subject.addRDN(BCStyle.O, group);
    }
    subject.addRDN(BCStyle.CN, user);
    return issue(
        subject.build(),
        newKeyPair(),
        own.keys().getPrivate(),
        builder ->
            builder.addExtension(
                Extension.extendedKeyUsage,
                false,
                new ExtendedKeyUsage(KeyPurposeId.id_kp_clientAuth)));
  }

  static KeyPair newKeyPair() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform supports the curve P-256", e);
    }
  }

  /**
   * Uses the heading "EC PRIVATE KEY": the Kubernetes client recognizes EC keys by that heading and
   * takes any other for RSA. This format must include the curve, which Java's encoding of the key
   * leaves to the enclosing structure.
   */
  static String privateKeyPem(KeyPair pair) {
    ECPrivateKey key =
        new ECPrivateKey(
            256,
            ((java.security.interfaces.ECPrivateKey) pair.getPrivate()).getS(),
            SubjectPublicKeyInfo.getInstance(pair.getPublic().getEncoded()).getPublicKeyData(),
            SECObjectIdentifiers.secp256r1);
    try {
      return pem(new PemObject("EC PRIVATE KEY", key.getEncoded()));
    } catch (IOException e) {
      throw new IllegalStateException("encoding in memory cannot fail", e);
    }
  }

  static String pem(Object content) {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(content);
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory cannot fail", e);
    }
    return text.toString();
  }

  @FunctionalInterface
  private interface Extensions {
    X509v3CertificateBuilder addTo(X509v3CertificateBuilder builder) throws IOException;
  }

  private Credentials issue(
      X500Name subject, KeyPair pair, PrivateKey signingKey, Extensions extensions) {
    Instant now = clock.instant();
    try {
      X509v3CertificateBuilder builder =
          extensions.addTo(
              new JcaX509v3CertificateBuilder(
                  name,
                  new BigInteger(127, random),
                  Date.from(now.minus(BACKDATED)),
                  Date.from(now.plus(VALIDITY)),
                  subject,
                  pair.getPublic()));
      X509Certificate certificate =
          new JcaX509CertificateConverter()
              .getCertificate(
                  builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(signingKey)));
      return new Credentials(certificate, pair);
    } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
      throw new TestbedException("cannot issue a certificate for " + subject, e);
    }
  }
}
