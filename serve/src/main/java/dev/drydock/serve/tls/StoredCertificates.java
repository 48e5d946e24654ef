package dev.drydock.serve.tls;

import dev.drydock.serve.tls.decide.CertificateRotationPlan;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The certificates that a Secret keeps. Unreadable parts count as missing, so they are issued
 * again.
 *
 * @param authorities those to be trusted, the newest first
 * @param authorityKey of the newest
 */
record StoredCertificates(
    List<X509Certificate> authorities,
    Optional<PrivateKey> authorityKey,
    Optional<TlsIdentity> serving) {
  static final String AUTHORITIES = "ca.crt";
  static final String AUTHORITY_KEY = "ca.key";
  static final String CERTIFICATE = "tls.crt";
  static final String KEY = "tls.key";

  static final StoredCertificates NONE =
      new StoredCertificates(List.of(), Optional.empty(), Optional.empty());

  /** From the data of a Secret. */
  static StoredCertificates read(Map<String, String> data) {
    Optional<PrivateKey> key = privateKey(data, KEY);
    List<X509Certificate> chain = certificates(data, CERTIFICATE);
    return new StoredCertificates(
        certificates(data, AUTHORITIES),
        privateKey(data, AUTHORITY_KEY),
        key.filter(any -> !chain.isEmpty()).map(own -> new TlsIdentity(own, chain)));
  }

  private static List<X509Certificate> certificates(Map<String, String> data, String field) {
    try {
      return Pem.certificates(text(data, field));
    } catch (GeneralSecurityException | IllegalArgumentException unreadable) {
      return List.of(); // issued again, which is logged
    }
  }

  private static Optional<PrivateKey> privateKey(Map<String, String> data, String field) {
    try {
      return Optional.of(Pem.privateKey(text(data, field)));
    } catch (GeneralSecurityException | IllegalArgumentException unreadable) {
      return Optional.empty(); // likewise
    }
  }

  private static String text(Map<String, String> data, String field) {
    return new String(
        Base64.getMimeDecoder().decode(data.getOrDefault(field, "")), StandardCharsets.US_ASCII);
  }

  /** The certificates as the data of a Secret. */
  Map<String, String> data() {
    return Map.of(
        AUTHORITIES, encode(bundle()),
        AUTHORITY_KEY, encode(Pem.write(authorityKey.orElseThrow())),
        CERTIFICATE, encode(Pem.write(serving.orElseThrow().chain())),
        KEY, encode(Pem.write(serving.orElseThrow().key())));
  }

  /** All authorities, as text. */
  String bundle() {
    return Pem.write(authorities);
  }

  static String encode(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** What a plan looks at, for a server of these names. */
  CertificateRotationPlan.Kept facts(List<String> names) {
    List<CertificateRotationPlan.Authority> facts = new ArrayList<>();
    for (X509Certificate authority : authorities) {
      boolean newest = facts.isEmpty();
      facts.add(
          new CertificateRotationPlan.Authority(
              authority.getNotBefore().toInstant().plus(CertificateIssuer.BACKDATED),
              authority.getNotAfter().toInstant(),
              newest && authorityKey.filter(key -> isPair(key, authority)).isPresent()));
    }
    return new CertificateRotationPlan.Kept(facts, serving.map(own -> facts(own, names)));
  }

  private CertificateRotationPlan.Serving facts(TlsIdentity own, List<String> names) {
    return new CertificateRotationPlan.Serving(
        own.certificate().getNotAfter().toInstant(),
        signer(own.certificate()),
        isPair(own.key(), own.certificate())
            && alternativeNames(own.certificate()).containsAll(names));
  }

  private int signer(X509Certificate certificate) {
    for (int i = 0; i < authorities.size(); i++) {
      if (isSigned(certificate, authorities.get(i))) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isSigned(X509Certificate certificate, X509Certificate by) {
    try {
      certificate.verify(by.getPublicKey());
      return true;
    } catch (GeneralSecurityException byAnother) {
      return false;
    }
  }

  static boolean isPair(PrivateKey key, X509Certificate certificate) {
    byte[] text = "a pair?".getBytes(StandardCharsets.US_ASCII);
    String algorithm =
        switch (key.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> key.getAlgorithm();
        };
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(text);
      byte[] signed = signature.sign();
      signature.initVerify(certificate.getPublicKey());
      signature.update(text);
      return signature.verify(signed);
    } catch (GeneralSecurityException ofAnotherKind) {
      return false;
    }
  }

  private static List<String> alternativeNames(X509Certificate certificate) {
    try {
      return Optional.ofNullable(certificate.getSubjectAlternativeNames())
          .orElse(List.of())
          .stream()
          .map(name -> String.valueOf(name.get(1)))
          .toList();
    } catch (CertificateParsingException unreadable) {
      return List.of();
    }
  }

  /** With what a plan wants made. Authorities whose time is over are left out. */
  StoredCertificates after(
      CertificateRotationPlan.Step step,
      List<String> names,
      CertificateIssuer issuer,
      Instant now) {
    List<X509Certificate> trusted =
        authorities.stream()
            .filter(authority -> now.isBefore(authority.getNotAfter().toInstant()))
            .collect(Collectors.toCollection(ArrayList::new));
    Optional<PrivateKey> signing = authorityKey;
    if (step.newAuthority()) {
      TlsIdentity authority = issuer.authority(now);
      trusted.addFirst(authority.certificate());
      signing = Optional.of(authority.key());
    }
    TlsIdentity authority = new TlsIdentity(signing.orElseThrow(), List.of(trusted.getFirst()));
    Optional<TlsIdentity> served =
        step.newServing() ? Optional.of(issuer.serving(authority, names, now)) : serving;
    return new StoredCertificates(List.copyOf(trusted), signing, served);
  }
}
