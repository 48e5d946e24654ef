package dev.drydock.serve.tls;

import dev.drydock.serve.tls.decide.CertificateRotationPlan;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Makes authorities, and certificates that they sign. */
final class CertificateIssuer {
  /** A machine whose clock runs a little behind must accept them, too. */
  static final Duration BACKDATED = Duration.ofHours(1);

  private final SecureRandom random = new SecureRandom();

  /** Self-signed. Each has its own name, so that two in a bundle can be distinguished. */
  TlsIdentity authority(Instant now) {
    KeyPair keys = newKeys();
    X500Name name = new X500Name("CN=drydock-" + new BigInteger(64, random).toString(36));
    return issue(
        new Request(name, keys, now, CertificateRotationPlan.AUTHORITY_VALIDITY),
        new Signer(name, keys),
        builder ->
            builder
                .addExtension(Extension.basicConstraints, true, new BasicConstraints(true))
                .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign)));
  }

  /** For a server of these names. */
  TlsIdentity serving(TlsIdentity authority, List<String> names, Instant now) {
    X500Name signer =
        X500Name.getInstance(authority.certificate().getSubjectX500Principal().getEncoded());
    GeneralName[] alternatives =
        names.stream().map(CertificateIssuer::alternativeName).toArray(GeneralName[]::new);
    KeyPair signing = new KeyPair(authority.certificate().getPublicKey(), authority.key());
    return issue(
        new Request(
            new X500Name("CN=drydock"), newKeys(), now, CertificateRotationPlan.SERVING_VALIDITY),
        new Signer(signer, signing),
        builder ->
            builder
                .addExtension(
                    Extension.subjectAlternativeName, false, new GeneralNames(alternatives))
                .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                .addExtension(
                    Extension.extendedKeyUsage,
                    false,
                    new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth)));
  }

  private static GeneralName alternativeName(String name) {
    boolean address = name.matches("[0-9.]+");
    return new GeneralName(address ? GeneralName.iPAddress : GeneralName.dNSName, name);
  }

  private static KeyPair newKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has the curve P-256", e);
    }
  }

  private record Request(X500Name subject, KeyPair keys, Instant now, Duration validity) {}

  private record Signer(X500Name name, KeyPair keys) {}

  @FunctionalInterface
  private interface Extensions {
    X509v3CertificateBuilder addTo(X509v3CertificateBuilder builder) throws IOException;
  }

  private TlsIdentity issue(Request request, Signer signer, Extensions extensions) {
    try {
      X509v3CertificateBuilder builder =
          extensions.addTo(
              new JcaX509v3CertificateBuilder(
                  signer.name(),
                  new BigInteger(127, random),
                  Date.from(request.now().minus(BACKDATED)),
                  Date.from(request.now().plus(request.validity())),
                  request.subject(),
                  request.keys().getPublic()));
      X509Certificate certificate =
          new JcaX509CertificateConverter()
              .getCertificate(
                  builder.build(
                      new JcaContentSignerBuilder("SHA256withECDSA")
                          .build(signer.keys().getPrivate())));
      return new TlsIdentity(request.keys().getPrivate(), List.of(certificate));
    } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException("cannot make a certificate for " + request.subject(), e);
    }
  }
}
