package dev.drydock.maintenance.notify;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.cli.SafeText;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Posts CloudEvents 1.0 in structured mode. Each call is signed: HMAC-SHA256 over the time of the
 * call, a dot and the body, so that a receiver can tell ours from others' and new from replayed.
 */
final class WebhookChannel implements Channel {
  static final String TIMESTAMP = "X-Drydock-Timestamp";
  static final String SIGNATURE = "X-Drydock-Signature";
  private static final String TYPE_PREFIX = "dev.drydock.maintenance.";

  private final ChannelSettings settings;
  private final Path secretFile;
  private final Clock clock;
  private final HttpSender sender;

  WebhookChannel(ChannelSettings settings, Clock clock) {
    this.settings = settings;
    this.secretFile = Objects.requireNonNull(settings.secretFile());
    this.clock = clock;
    this.sender = new HttpSender(clock);
  }

  @Override
  public String name() {
    return settings.name();
  }

  @Override
  public boolean wants(Notice notice) {
    return settings.wants(notice.event());
  }

  @Override
  public Outcome deliver(Notice notice) throws InterruptedException {
    byte[] body = cloudEvent(notice).toString().getBytes(StandardCharsets.UTF_8);
    String timestamp = Long.toString(clock.instant().getEpochSecond());
    try {
      String signature = sign(SecretFiles.read(secretFile), timestamp, body);
      return sender.post(
          SecretFiles.address(settings),
          body,
          Map.of(
              "Content-Type",
              "application/cloudevents+json",
              TIMESTAMP,
              timestamp,
              SIGNATURE,
              "sha256=" + signature));
    } catch (IOException noSecret) {
      return Outcome.Later.because(String.valueOf(noSecret.getMessage()));
    }
  }

  static ObjectNode cloudEvent(Notice notice) {
    Notice.Subject subject = notice.subject();
    ObjectNode event = Json.object();
    event.put("specversion", "1.0").put("id", notice.deduplicationId());
    event.put("source", source(subject)).put("type", TYPE_PREFIX + notice.event().word());
    event.put("subject", SafeText.line(subject.node())).put("time", notice.at().toString());
    event.put("maintenanceclient", subject.client());
    Notice.putUnlessEmpty(event, "maintenancetype", subject.maintenanceType());
    event.put("datacontenttype", "application/json").set("data", notice.payload());
    return event;
  }

  /** The maintenance's own path in the API. */
  private static String source(Notice.Subject subject) {
    return "/apis/%s/%s/namespaces/%s/%s/%s"
        .formatted(
            NotifyMaintenance.GROUP,
            NotifyMaintenance.VERSION,
            ApiCall.encode(subject.namespace()),
            NotifyMaintenance.PLURAL,
            ApiCall.encode(subject.name()));
  }

  private static String sign(String secret, String timestamp, byte[] body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      mac.update((timestamp + ".").getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("every Java has HmacSHA256", missing);
    }
  }

  @Override
  public void close() {
    sender.close();
  }
}
