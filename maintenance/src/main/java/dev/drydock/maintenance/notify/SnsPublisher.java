package dev.drydock.maintenance.notify;

import dev.drydock.maintenance.notify.Channel.Outcome;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sns.SnsClientBuilder;
import software.amazon.awssdk.services.sns.model.MessageAttributeValue;
import software.amazon.awssdk.services.sns.model.PublishRequest;

/** Amazon's client, one for each region that topics are in. Tries once: the outbox tries again. */
final class SnsPublisher implements AutoCloseable {
  /** More than a cluster's topics are in as a rule. */
  static final int MOST_REGIONS = 8;

  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);
  private static final String NO_CREDENTIALS =
      "no AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,"
          + " or provide ~/.aws/credentials";

  /** About the credentials or the clock, and not about the notice. */
  private static final Set<String> PASSING =
      Set.of("ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired");

  private final Optional<URI> endpoint;
  private final AwsCredentialsProvider credentials;
  private final Clock clock;
  private final Map<String, SnsClient> byRegion = new LinkedHashMap<>(16, 0.75f, true);

  SnsPublisher(Optional<URI> endpoint, AwsCredentialsProvider credentials, Clock clock) {
    this.endpoint = endpoint;
    this.credentials = credentials;
    this.clock = clock;
  }

  static SnsPublisher open(@Nullable String endpoint, Clock clock) {
    return new SnsPublisher(
        Optional.ofNullable(endpoint).map(URI::create), usualCredentials(), clock);
  }

  static AwsCredentialsProvider usualCredentials() {
    return AwsCredentialsProviderChain.of(
        EnvironmentVariableCredentialsProvider.create(), ProfileCredentialsProvider.create());
  }

  Outcome publish(Notice notice) {
    String topic = notice.subject().extras().topicArn();
    Optional<String> region = region(topic);
    if (region.isEmpty()) {
      return new Outcome.Refused("amazonSNSTopicARN %s is not the ARN of a topic".formatted(topic));
    }
    if (!hasCredentials()) {
      return Outcome.Later.because(NO_CREDENTIALS);
    }
    String service = "Amazon SNS in " + region.get();
    try {
      var _ = client(region.get()).publish(request(notice, topic));
      return new Outcome.Delivered();
    } catch (AwsServiceException refused) {
      return outcome(refused, service);
    } catch (SdkClientException unanswered) {
      return Outcome.Later.because(
          "no answer from %s: %s".formatted(service, root(unanswered).getClass().getSimpleName()));
    }
  }

  private boolean hasCredentials() {
    try {
      var _ = credentials.resolveCredentials();
      return true;
    } catch (SdkClientException none) {
      return false; // its message is long, and says nothing more
    }
  }

  private static PublishRequest request(Notice notice, String topic) {
    return PublishRequest.builder()
        .topicArn(topic)
        .message(notice.topicBody())
        .messageGroupId(notice.groupId())
        .messageDeduplicationId(notice.deduplicationId())
        .messageAttributes(
            Map.of(
                "MaintenanceEvent", attribute(notice.event().word()),
                "MaintenanceClient", attribute(notice.subject().client())))
        .build();
  }

  private static MessageAttributeValue attribute(String value) {
    return MessageAttributeValue.builder().dataType("String").stringValue(value).build();
  }

  /** {@code arn:PARTITION:sns:REGION:ACCOUNT:TOPIC}. */
  private static Optional<String> region(String arn) {
    String[] parts = arn.split(":", -1);
    boolean topic =
        parts.length == 6
            && parts[0].equals("arn")
            && parts[2].equals("sns")
            && parts[3].matches("[a-z0-9-]+")
            && !parts[5].isEmpty();
    return topic ? Optional.of(parts[3]) : Optional.empty();
  }

  /** Anybody who may create a maintenance may name any region; that used last is kept longest. */
  private synchronized SnsClient client(String region) {
    SnsClient client = byRegion.computeIfAbsent(region, this::open);
    if (byRegion.size() > MOST_REGIONS) {
      Iterator<SnsClient> oldest = byRegion.values().iterator();
      oldest.next().close();
      oldest.remove();
    }
    return client;
  }

  synchronized int clients() {
    return byRegion.size();
  }

  private SnsClient open(String region) {
    SnsClientBuilder client =
        SnsClient.builder()
            .region(Region.of(region))
            .credentialsProvider(credentials)
            .httpClientBuilder(
                UrlConnectionHttpClient.builder()
                    .connectionTimeout(CONNECT_WITHIN)
                    .socketTimeout(ANSWER_WITHIN))
            .overrideConfiguration(config -> config.retryStrategy(AwsRetryStrategy.doNotRetry()));
    endpoint.ifPresent(client::endpointOverride);
    return client.build();
  }

  /** Only the error's name, because some messages repeat what was signed. */
  private Outcome outcome(AwsServiceException refused, String service) {
    String error = refused.awsErrorDetails() == null ? "" : refused.awsErrorDetails().errorCode();
    String from = error == null || error.isEmpty() ? service : service + " (" + error + ")";
    Optional<String> header =
        Optional.ofNullable(refused.awsErrorDetails())
            .flatMap(details -> details.sdkHttpResponse().firstMatchingHeader("Retry-After"));
    Optional<Duration> retryAfter = ReceiverAnswers.retryAfter(header, clock.instant());
    Outcome outcome = ReceiverAnswers.outcome(refused.statusCode(), from, retryAfter);
    boolean passing =
        refused.isThrottlingException()
            || refused.isClockSkewException()
            || (error != null && PASSING.contains(error));
    return outcome instanceof Outcome.Refused(String why) && passing
        ? new Outcome.Later(why, retryAfter)
        : outcome;
  }

  private static Throwable root(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  @Override
  public synchronized void close() {
    byRegion.values().forEach(SnsClient::close);
  }
}
