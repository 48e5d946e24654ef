package dev.drydock.lifecycle.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.testkit.LoopbackServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How API servers of all ages answer when asked for the group, of which no test has them all. */
class ApiGroupAvailabilityTest {
  private static final String GROUP = "lifecycle.k8s.io";
  private static final String DISCOVERY = "/apis/lifecycle.k8s.io/v1alpha1";
  private static final String DEFINITION =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/lifecycleevents.lifecycle.k8s.io";
  private static final String OURS =
      resources("lifecycleevents", "lifecycleevents/status", "lifecycletransitions");

  private record Answer(int code, String body) {}

  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final LoopbackServer server = new LoopbackServer();
  private KubernetesClient client;
  private KubeHttp http;

  @BeforeEach
  void serve() {
    server.handle(
        "/",
        exchange -> {
          Answer answer =
              answers.getOrDefault(exchange.getRequestURI().getPath(), new Answer(404, "{}"));
          LoopbackServer.answer(exchange, answer.code(), answer.body());
        });
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(Config.empty()).withMasterUrl(server.uri("").toString()).build())
            .withHttpClientFactory(new JdkHttpClientFactory())
            .build();
    http = new KubeHttp(client, RequestInterceptor.NONE, 0);
  }

  @AfterEach
  void stop() {
    http.close();
    client.close();
    server.close();
  }

  @Test
  void aGroupThatNobodyServesMayBeDefined() {
    ApiGroupAvailability availability = ApiGroupAvailability.of(http, GROUP);

    assertThat(availability).isEqualTo(new ApiGroupAvailability.Absent());
    assertThat(availability.serves()).isFalse();
  }

  @Test
  void aGroupThatTheServerHasForOtherKindsIsLeftAlone() {
    answers.put(DISCOVERY, new Answer(200, resources("evictions", "evictionrequests")));

    ApiGroupAvailability availability = ApiGroupAvailability.of(http, GROUP);

    assertThat(availability)
        .isEqualTo(new ApiGroupAvailability.OthersOnly(List.of("evictionrequests", "evictions")));
    assertThat(availability.serves()).isFalse();
    assertThat(availability.words(GROUP))
        .contains("only with evictionrequests, evictions", "use node-lifecycle.drydock.dev");
  }

  @Test
  void definitionsBesideOtherKindsAreHidden() {
    // accepted by such a server, and of no effect
    answers.put(DISCOVERY, new Answer(200, resources("evictionrequests")));
    answers.put(DEFINITION, new Answer(200, "{}"));

    assertThat(ApiGroupAvailability.of(http, GROUP))
        .isInstanceOf(ApiGroupAvailability.OthersOnly.class);
  }

  @Test
  void kindsWithoutADefinitionAreTheServersOwn() {
    answers.put(DISCOVERY, new Answer(200, OURS));

    ApiGroupAvailability availability = ApiGroupAvailability.of(http, GROUP);

    assertThat(availability).isEqualTo(new ApiGroupAvailability.BuiltIn());
    assertThat(availability.serves()).isTrue();
  }

  @Test
  void kindsWithADefinitionAreServedByIt() {
    answers.put(DISCOVERY, new Answer(200, OURS));
    answers.put(DEFINITION, new Answer(200, "{}"));

    assertThat(ApiGroupAvailability.of(http, GROUP))
        .isEqualTo(new ApiGroupAvailability.ByDefinition());
  }

  @Test
  void whoMayNotReadDefinitionsFindsTheKindsAllTheSame() {
    answers.put(DISCOVERY, new Answer(200, OURS));
    answers.put(DEFINITION, new Answer(403, "{\"message\": \"forbidden\"}"));

    assertThat(ApiGroupAvailability.of(http, GROUP).serves()).isTrue();
  }

  @Test
  void oneKindAloneIsNotEnough() {
    answers.put(DISCOVERY, new Answer(200, resources("lifecycleevents")));

    assertThat(ApiGroupAvailability.of(http, GROUP).serves()).isFalse();
  }

  @Test
  void aServerInTroubleSaysNothing() {
    answers.put(DISCOVERY, new Answer(503, "{\"message\": \"starting\"}"));

    ApiGroupAvailability availability = ApiGroupAvailability.of(http, GROUP);

    assertThat(availability).isInstanceOf(ApiGroupAvailability.Unknown.class);
    assertThat(availability.serves()).isFalse();
    assertThat(availability.words(GROUP)).contains("starting");
  }

  private static String resources(String... names) {
    StringBuilder all = new StringBuilder();
    for (String name : names) {
      all.append(all.isEmpty() ? "" : ",").append("{\"name\":\"").append(name).append("\"}");
    }
    return "{\"kind\":\"APIResourceList\",\"resources\":[" + all + "]}";
  }
}
