package dev.drydock.maintenance.notify;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A request to Amazon as Amazon would look at it: signed by version 4 of its scheme, which is
 * written down here a second time so that nothing of the client under test is trusted.
 */
record SignedRequest(TestingReceiver.Request request, Matcher authorization) {
  private static final Pattern AUTHORIZATION =
      Pattern.compile(
          "AWS4-HMAC-SHA256 Credential=(?<key>[^/]+)/(?<scope>(?<day>\\d{8})/(?<region>[^/]+)"
              + "/(?<service>[^/]+)/aws4_request), ?SignedHeaders=(?<headers>[^,]+),"
              + " ?Signature=(?<signature>[0-9a-f]{64})");

  static SignedRequest of(TestingReceiver.Request request) {
    Matcher matcher = AUTHORIZATION.matcher(request.header("Authorization"));
    if (!matcher.matches()) {
      throw new AssertionError("not signed: " + request.header("Authorization"));
    }
    return new SignedRequest(request, matcher);
  }

  String part(String name) {
    return authorization.group(name);
  }

  List<String> signedHeaders() {
    return List.of(part("headers").split(";", -1));
  }

  /** Whether whoever signed it knew the secret. */
  boolean isSignedWith(String secret) throws GeneralSecurityException {
    String canonical =
        String.join(
            "\n",
            request.method(),
            request.target(),
            "",
            signedHeaders().stream()
                .map(name -> name + ":" + header(name) + "\n")
                .collect(Collectors.joining()),
            part("headers"),
            sha256(request.body()));
    String toSign =
        String.join(
            "\n",
            "AWS4-HMAC-SHA256",
            request.header("X-Amz-Date"),
            part("scope"),
            sha256(canonical.getBytes(StandardCharsets.UTF_8)));
    byte[] key = ("AWS4" + secret).getBytes(StandardCharsets.UTF_8);
    for (String step : List.of(part("day"), part("region"), part("service"), "aws4_request")) {
      key = hmac(key, step);
    }
    return HexFormat.of().formatHex(hmac(key, toSign)).equals(part("signature"));
  }

  private String header(String name) {
    return request.headers().getOrDefault(capital(name), List.of()).stream()
        .map(value -> value.strip().replaceAll(" +", " "))
        .collect(Collectors.joining(","));
  }

  /** As the server that took it writes names. */
  private static String capital(String name) {
    return name.substring(0, 1).toUpperCase(Locale.ROOT)
        + name.substring(1).toLowerCase(Locale.ROOT);
  }

  private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String sha256(byte[] bytes) throws GeneralSecurityException {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  /** The form in its body. */
  Map<String, String> parameters() {
    Map<String, String> parameters = new TreeMap<>();
    for (String pair : request.text().split("&", -1)) {
      String[] parts = pair.split("=", 2);
      parameters.put(decode(parts[0]), decode(parts[1]));
    }
    return parameters;
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
