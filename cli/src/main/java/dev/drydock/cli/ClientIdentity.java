package dev.drydock.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** A user's client certificate and private key, read from a kubeconfig. */
final class ClientIdentity extends X509ExtendedKeyManager {
  private static final String ALIAS = "user";
  private static final byte[] RSA = HexFormat.of().parseHex("300d06092a864886f70d0101010500");
  private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");
  private static final byte[] VERSION = {2, 1, 0};
  private static final int SEQUENCE = 0x30;
  private static final int OCTETS = 4;
  private static final int PARAMETERS = 0xa0;

  private final X509Certificate[] chain;
  private final PrivateKey key;

  private ClientIdentity(X509Certificate[] chain, PrivateKey key) {
    this.chain = chain;
    this.key = key;
  }

  /** Fails if the data is not an RSA or EC key with certificates in PEM or DER encoding. */
  static ClientIdentity of(byte[] certificates, byte[] key) throws GeneralSecurityException {
    return new ClientIdentity(certificates(certificates), key(key));
  }

  static X509Certificate[] certificates(byte[] pem) throws GeneralSecurityException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(pem))
        .toArray(X509Certificate[]::new);
  }

  private static PrivateKey key(byte[] pem) throws GeneralSecurityException {
    String text = new String(pem, StandardCharsets.ISO_8859_1);
    byte[] ec = block(text, "EC PRIVATE KEY");
    if (ec != null) {
      byte[] algorithm = der(SEQUENCE, EC, curve(ec));
      return read("EC", der(SEQUENCE, VERSION, algorithm, der(OCTETS, ec)));
    }
    byte[] rsa = block(text, "RSA PRIVATE KEY");
    if (rsa != null) {
      return read("RSA", der(SEQUENCE, VERSION, RSA, der(OCTETS, rsa)));
    }
    byte[] any = block(text, "PRIVATE KEY");
    if (any == null) {
      throw new GeneralSecurityException("no private key");
    }
    boolean isEc = HexFormat.of().formatHex(any).contains(HexFormat.of().formatHex(EC));
    return read(isEc ? "EC" : "RSA", any);
  }

  private static PrivateKey read(String algorithm, byte[] pkcs8) throws GeneralSecurityException {
    return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
  }

  private static byte @Nullable [] block(String text, String type) throws GeneralSecurityException {
    String begin = "-----BEGIN " + type + "-----";
    int from = text.indexOf(begin);
    int to = text.indexOf("-----END " + type + "-----");
    if (from < 0 || to < from) {
      return null;
    }
    try {
      return Base64.getMimeDecoder().decode(text.substring(from + begin.length(), to));
    } catch (IllegalArgumentException e) {
      throw new GeneralSecurityException("not base64", e);
    }
  }

  /** In an EC key the curve follows the private value: version, octets, then the parameters. */
  private static byte[] curve(byte[] ec) throws GeneralSecurityException {
    try {
      int at = ec[1] < 0 ? 2 + (ec[1] & 0x7f) : 2;
      at += VERSION.length;
      at += 2 + ec[at + 1];
      if ((ec[at] & 0xff) == PARAMETERS) {
        return Arrays.copyOfRange(ec, at + 2, at + 2 + ec[at + 1]);
      }
    } catch (ArrayIndexOutOfBoundsException cutOff) {
      throw new GeneralSecurityException("not an EC key", cutOff);
    }
    throw new GeneralSecurityException("an EC key without its curve");
  }

  private static byte[] der(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(tag);
    int length = content.size();
    if (length >= 0x80) {
      all.write(length < 0x100 ? 0x81 : 0x82);
      if (length >= 0x100) {
        all.write(length >> 8);
      }
    }
    all.write(length);
    all.writeBytes(content.toByteArray());
    return all.toByteArray();
  }

  @Override
  public String[] getClientAliases(String keyType, Principal[] issuers) {
    return new String[] {ALIAS};
  }

  @Override
  public String chooseClientAlias(String[] keyType, Principal[] issuers, Socket socket) {
    return ALIAS;
  }

  @Override
  public String chooseEngineClientAlias(String[] keyType, Principal[] issuers, SSLEngine engine) {
    return ALIAS;
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return chain.clone();
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return key;
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal[] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
    return null;
  }
}
