package dev.drydock.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.call.Call;
import dev.drydock.sim.call.CallInterceptor;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class CallInterceptorTest {
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

  @Test
  void seesEveryCallAndItsOutcome() throws Exception {
    List<String> seen = new CopyOnWriteArrayList<>();
    CallInterceptor hook =
        new CallInterceptor() {
          @Override
          public void after(Call call, int code) {
            seen.add(call.verb() + " " + call.resource() + " " + call.name() + " " + code);
          }
        };
    try (SimulatedApiServer server = start(hook);
        Http http = new Http(server.uri())) {
      http.post(CONFIG_MAPS, "{metadata: {name: a}}");
      http.get(CONFIG_MAPS + "/a");
      http.get(CONFIG_MAPS);
    }

    assertThat(seen)
        .containsExactly("create configmaps  201", "get configmaps a 200", "list configmaps  200");
  }

  @Test
  void refusesACallBeforeItTakesEffect() throws Exception {
    CallInterceptor hook =
        new CallInterceptor() {
          @Override
          public void before(Call call) {
            if (call.verb().equals("create")) {
              throw new StatusException(503, "ServiceUnavailable", "not now").retryAfter(7);
            }
          }
        };
    try (SimulatedApiServer server = start(hook);
        Http http = new Http(server.uri())) {
      Http.Answer answer = http.post(CONFIG_MAPS, "{metadata: {name: a}}");

      assertThat(answer.code()).isEqualTo(503);
      assertThat(answer.text("details", "retryAfterSeconds")).isEqualTo("7");
      assertThat(http.get(CONFIG_MAPS + "/a").code()).isEqualTo(404);
    }
  }

  @Test
  void losesTheConnectionAfterTheWrite() throws Exception {
    CallInterceptor hook =
        new CallInterceptor() {
          @Override
          public void after(Call call, int code) {
            if (call.verb().equals("create")) {
              throw new ConnectionLost();
            }
          }
        };
    try (SimulatedApiServer server = start(hook);
        Http http = new Http(server.uri())) {
      assertThatThrownBy(() -> http.post(CONFIG_MAPS, "{metadata: {name: a}}"))
          .isInstanceOf(IOException.class);
      assertThat(http.get(CONFIG_MAPS + "/a").code()).isEqualTo(200);
    }
  }

  private static SimulatedApiServer start(CallInterceptor hook) throws IOException {
    return SimulatedApiServer.start(SimulatedApiServer.Options.defaults().withHook(hook));
  }
}
