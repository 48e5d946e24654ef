package dev.drydock.serve.feature;

import dev.drydock.cli.KubeOptions;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.serve.web.WebServer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Serves one node until it is stopped, with metrics and health. */
public final class AgentProcess {
  private static final long RECOMMENDED_HEAP_MEBIBYTES = 96;

  private final KubeOptions options;
  private final AgentProcessOptions own;
  private final List<AgentRole> roles;
  private final Map<String, String> environment;

  public AgentProcess(
      KubeOptions options,
      AgentProcessOptions own,
      List<AgentRole> roles,
      Map<String, String> environment) {
    this.options = options;
    this.own = own;
    this.roles = roles;
    this.environment = environment;
  }

  public int run() {
    String node = own.node(environment); // mistakes first
    roles.forEach(AgentRole::check);
    ServerPages.Place place =
        ServerPages.Place.plain(
            own.metricsAddress(), new WebServer.Setting("metrics", "--metrics-bind-address"));
    return new ServerProcess(
            options,
            new ServerProcess.Settings(
                "agent",
                RECOMMENDED_HEAP_MEBIBYTES,
                own.verbosity(),
                Optional.of(new ServerPages.Places(place, place))),
            environment)
        .run(
            new AllInterceptors(roles),
            (context, running) -> {
              AgentContext agent =
                  new AgentContext(
                      context.kube(),
                      context.client(),
                      node,
                      context.namespace(),
                      ProcessIdentity.of(environment),
                      context.meters());
              for (AgentRole role : roles) {
                running.add(role.start(agent));
              }
            });
  }

  /** Each role sees all requests of the process. */
  private record AllInterceptors(List<AgentRole> roles) implements RequestInterceptor {
    @Override
    public void before(ApiCall call) {
      roles.forEach(role -> role.interceptor().before(call));
    }

    @Override
    public void after(ApiCall call, int code) {
      roles.forEach(role -> role.interceptor().after(call, code));
    }
  }
}
