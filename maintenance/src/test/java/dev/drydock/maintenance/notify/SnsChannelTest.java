package dev.drydock.maintenance.notify;

import static dev.drydock.maintenance.notify.TestNotices.TOPIC;
import static dev.drydock.maintenance.notify.TestNotices.toTopic;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.drydock.maintenance.notify.Channel.Outcome;
import dev.drydock.maintenance.notify.TestingReceiver.Answer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;

class SnsChannelTest {
  private static final String SECRET = "secret/of+the key";
  private static final AwsCredentialsProvider CREDENTIALS =
      StaticCredentialsProvider.create(AwsBasicCredentials.create("AKIDTEST", SECRET));
  private static final Answer TAKEN =
      new Answer(
          200,
          """
          <PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/">
            <PublishResult><MessageId>m-1</MessageId></PublishResult>
            <ResponseMetadata><RequestId>r-1</RequestId></ResponseMetadata>
          </PublishResponse>""",
          Map.of("Content-Type", "text/xml"));

  private TestingReceiver amazon;
  private Channel channel;

  @BeforeEach
  void start() throws IOException {
    amazon = new TestingReceiver(TAKEN);
    channel = channel(CREDENTIALS);
  }

  @AfterEach
  void stop() {
    channel.close();
    amazon.close();
  }

  private Channel channel(AwsCredentialsProvider credentials) {
    return new SnsChannel(
        ChannelSettings.of(ChannelSettings.Type.SNS),
        () ->
            new SnsPublisher(
                Optional.of(URI.create(amazon.url("/"))), credentials, Clock.systemUTC()));
  }

  @Test
  void onlyTopicsOfTheChannelAreServed() throws Exception {
    Channel limited =
        new SnsChannel(
            new ChannelSettings(
                ChannelSettings.Type.SNS,
                "",
                null,
                null,
                null,
                Set.of(),
                Set.of("arn:aws:sns:eu-central-1:1:ops.fifo", "arn:aws:sns:eu-central-1:2:*")),
            () ->
                new SnsPublisher(
                    Optional.of(URI.create(amazon.url("/"))), CREDENTIALS, Clock.systemUTC()));
    try {
      for (String topic : new String[] {"1:ops.fifo", "2:any.fifo"}) {
        assertThat(limited.deliver(toTopic("arn:aws:sns:eu-central-1:" + topic)))
            .isInstanceOf(Outcome.Delivered.class);
      }
      for (String topic : new String[] {"1:ops.fifo2", "1:other.fifo", "22:ops.fifo"}) {
        assertThat(limited.deliver(toTopic("arn:aws:sns:eu-central-1:" + topic)))
            .isInstanceOf(Outcome.Refused.class);
      }
    } finally {
      limited.close();
    }
  }

  private static Answer refusal(int code, String error) {
    return new Answer(
        code,
        """
        <ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/">
          <Error><Type>Sender</Type><Code>%s</Code><Message>signed was hidden</Message></Error>
          <RequestId>r-1</RequestId>
        </ErrorResponse>"""
            .formatted(error),
        Map.of("Content-Type", "text/xml"));
  }

  @Test
  void publishesToAFirstInFirstOutTopic() throws Exception {
    Notice notice = toTopic(TOPIC);

    assertThat(channel.deliver(notice)).isEqualTo(new Outcome.Delivered());

    Map<String, String> form = SignedRequest.of(amazon.requests.getFirst()).parameters();
    assertThat(form)
        .containsEntry("Action", "Publish")
        .containsEntry("TopicArn", TOPIC)
        .containsEntry("Message", notice.payload().toString())
        .containsEntry("MessageGroupId", notice.groupId())
        .containsEntry("MessageDeduplicationId", notice.deduplicationId());
    assertThat(attribute(form, "MaintenanceEvent")).isEqualTo("String SLAStarted");
    assertThat(attribute(form, "MaintenanceClient")).isEqualTo("String Slack_ST2");
  }

  private static @Nullable String attribute(Map<String, String> form, String name) {
    for (int i = 1; form.containsKey("MessageAttributes.entry." + i + ".Name"); i++) {
      String entry = "MessageAttributes.entry." + i;
      if (name.equals(form.get(entry + ".Name"))) {
        return form.get(entry + ".Value.DataType") + " " + form.get(entry + ".Value.StringValue");
      }
    }
    return null;
  }

  @Test
  void signsTheRequestForTheRegionOfTheTopic() throws Exception {
    var _ = channel.deliver(toTopic(TOPIC));

    SignedRequest request = SignedRequest.of(amazon.requests.getFirst());
    assertThat(request.part("key")).isEqualTo("AKIDTEST");
    assertThat(request.part("region")).isEqualTo("eu-central-1");
    assertThat(request.part("service")).isEqualTo("sns");
    assertThat(request.signedHeaders()).contains("host", "x-amz-date");
    assertThat(request.isSignedWith(SECRET)).isTrue();
    assertThat(request.isSignedWith("another secret")).isFalse();
  }

  @Test
  void eachTopicIsAskedInItsOwnRegion() throws Exception {
    var _ = channel.deliver(toTopic(TOPIC));
    var _ = channel.deliver(toTopic("arn:aws-cn:sns:cn-north-1:123456789012:other.fifo"));

    assertThat(amazon.requests)
        .extracting(request -> SignedRequest.of(request).part("region"))
        .containsExactly("eu-central-1", "cn-north-1");
  }

  @ParameterizedTest
  @CsvSource({
    "400, InvalidParameter",
    "403, AuthorizationError",
    "403, InvalidClientTokenId",
    "404, NotFound"
  })
  void whatAmazonRefusesIsRefusedByNameOnly(int code, String error) throws Exception {
    amazon.answer(refusal(code, error));

    assertThat(channel.deliver(toTopic(TOPIC)))
        .isEqualTo(
            new Outcome.Refused(
                "Amazon SNS in eu-central-1 (%s) answers HTTP %d".formatted(error, code)));
    assertThat(amazon.requests).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "400, Throttling",
    "429, Throttled",
    "403, ExpiredToken",
    "403, RequestExpired",
    "500, InternalFailure",
    "503, ServiceUnavailable"
  })
  void whatMayPassIsLeftToTheOutbox(int code, String error) throws Exception {
    amazon.answer(refusal(code, error));

    assertThat(channel.deliver(toTopic(TOPIC))).isInstanceOf(Outcome.Later.class);
    assertThat(amazon.requests).as("tries").hasSize(1);
  }

  @Test
  void waitsAsLongAsAmazonSays() throws Exception {
    amazon.answer(new Answer(503, "", Map.of("Retry-After", "9")));

    assertThat(channel.deliver(toTopic(TOPIC)))
        .isInstanceOfSatisfying(
            Outcome.Later.class,
            later -> assertThat(later.retryAfter()).contains(Duration.ofSeconds(9)));
  }

  @Test
  void noAnswerIsNoRefusal() throws Exception {
    amazon.close();

    assertThat(channel.deliver(toTopic(TOPIC)))
        .isEqualTo(
            Outcome.Later.because("no answer from Amazon SNS in eu-central-1: ConnectException"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"maintenance", "arn:aws:sqs:eu-central-1:1:q", "arn:aws:sns::1:t"})
  void whatIsNoTopicIsRefused(String arn) throws Exception {
    assertThat(channel.deliver(toTopic(arn)))
        .isEqualTo(
            new Outcome.Refused("amazonSNSTopicARN %s is not the ARN of a topic".formatted(arn)));
  }

  @Test
  void withoutCredentialsNoticesWait() throws Exception {
    try (Channel without =
        channel(
            () -> {
              throw SdkClientException.create("none");
            })) {
      assertThat(without.deliver(toTopic(TOPIC)))
          .isEqualTo(
              Outcome.Later.because(
                  "no AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,"
                      + " or provide ~/.aws/credentials"));
    }
    assertThat(amazon.requests).isEmpty();
  }

  @Test
  void credentialsMayBeInAFile(@TempDir Path folder) throws Exception {
    assumeThat(System.getenv("AWS_ACCESS_KEY_ID")).as("the environment comes first").isNull();
    Path file =
        Files.writeString(
            folder.resolve("credentials"),
            """
            [default]
            aws_access_key_id = AKIDFILE
            aws_secret_access_key = from a file
            """);
    String before = System.setProperty("aws.sharedCredentialsFile", file.toString());
    try (Channel fromFile = channel(SnsPublisher.usualCredentials())) {
      assertThat(fromFile.deliver(toTopic(TOPIC))).isEqualTo(new Outcome.Delivered());
    } finally {
      if (before == null) {
        System.clearProperty("aws.sharedCredentialsFile");
      } else {
        System.setProperty("aws.sharedCredentialsFile", before);
      }
    }
    SignedRequest request = SignedRequest.of(amazon.requests.getFirst());
    assertThat(request.part("key")).isEqualTo("AKIDFILE");
    assertThat(request.isSignedWith("from a file")).isTrue();
  }

  @Test
  void clientsOfInventedRegionsAreNotKept() {
    try (SnsPublisher publisher =
        new SnsPublisher(
            Optional.of(URI.create(amazon.url("/"))), CREDENTIALS, Clock.systemUTC())) {
      for (int i = 0; i < SnsPublisher.MOST_REGIONS + 3; i++) {
        var _ = publisher.publish(toTopic(TOPIC.replace("eu-central-1", "nowhere-" + i)));
      }

      assertThat(publisher.clients()).isEqualTo(SnsPublisher.MOST_REGIONS);
    }
  }
}
