package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.Registry;
import dev.drydock.sim.api.StatusException;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Set;

/** Answers requests by dispatching on their path. */
public final class ApiCalls implements AutoCloseable {
  private static final Set<String> HEALTH = Set.of("healthz", "livez", "readyz");

  private final Registry registry;
  private final Discovery discovery;
  private final OpenApi openApi;
  private final ResourceCalls resources;
  private final CallInterceptor hook;
  private final Admission admission;

  public ApiCalls(Registry registry, Clock clock, CallInterceptor hook, PodsByNode podsByNode) {
    this.registry = registry;
    this.hook = hook;
    this.discovery = new Discovery(registry.types());
    this.openApi = new OpenApi(registry.types());
    this.admission = new Admission(registry);
    ObjectWriter writer = new ObjectWriter(registry, admission, clock);
    PodCalls pods =
        new PodCalls(registry, new Eviction(registry, clock), new Binding(registry, clock), writer);
    this.resources = new ResourceCalls(registry, pods, writer, clock, podsByNode);
  }

  ApiResponse answer(ApiRequest request) {
    try {
      List<String> path = request.segments();
      if (AccessReviews.isMeant(request, path)) {
        return ApiResponse.Whole.of(201, AccessReviews.answer(request));
      }
      return isResource(path) ? callResource(request, path) : describe(request, path);
    } catch (StatusException failure) {
      return new ApiResponse.Whole(failure.code(), failure.status(), failure.retryAfterSeconds());
    }
  }

  private static boolean isResource(List<String> path) {
    return !path.isEmpty()
        && ((path.getFirst().equals("api") && path.size() > 2)
            || (path.getFirst().equals("apis") && path.size() > 3));
  }

  private ApiResponse callResource(ApiRequest request, List<String> path) {
    Target target = Target.of(path, registry.types());
    String verb = verb(request, target);
    Call call =
        new Call(
            verb,
            target.type().names().plural(),
            target.namespace(),
            target.name(),
            target.subresource(),
            request.user());
    hook.before(call);
    String deprecation = target.type().rules().deprecation(target.type());
    if (!deprecation.isEmpty()) {
      request.warn(deprecation);
    }
    ApiResponse answer = resources.answer(verb, request, target);
    hook.after(call, answer.code());
    return answer instanceof ApiResponse.Stream(ApiResponse.Lines lines)
        ? new ApiResponse.Stream(new InterceptedLines(call, lines))
        : answer;
  }

  private final class InterceptedLines implements ApiResponse.Lines {
    private final Call call;
    private final ApiResponse.Lines lines;

    InterceptedLines(Call call, ApiResponse.Lines lines) {
      this.call = call;
      this.lines = lines;
    }

    @Override
    public void writeTo(CallInterceptor.Lines sink) throws IOException, InterruptedException {
      lines.writeTo(hook.lines(call, sink));
    }

    @Override
    public ApiResponse.Following follow(CallInterceptor.Lines sink) {
      return lines.follow(hook.lines(call, sink));
    }
  }

  private static String verb(ApiRequest request, Target target) {
    boolean one = !target.name().isEmpty();
    return switch (request.method()) {
      case "GET" -> request.isSet("watch") ? "watch" : one ? "get" : "list";
      case "POST" -> {
        if (one && target.subresource().isEmpty()) {
          throw StatusException.methodNotAllowed();
        }
        yield "create";
      }
      case "PUT" -> requireOne(one, "update");
      case "PATCH" -> requireOne(one, "patch");
      case "DELETE" -> one ? "delete" : "deletecollection";
      default -> throw StatusException.methodNotAllowed();
    };
  }

  private static String requireOne(boolean one, String verb) {
    if (!one) {
      throw StatusException.methodNotAllowed();
    }
    return verb;
  }

  /** Handles all paths that are not resources. */
  private ApiResponse describe(ApiRequest request, List<String> path) {
    if (!request.method().equals("GET") || path.isEmpty()) {
      throw StatusException.notSimulated(request.method() + " " + request.uri().getPath());
    }
    String root = path.getFirst();
    if (path.size() > 2 && path.subList(0, 2).equals(List.of("openapi", "v3"))) {
      String document = String.join("/", path.subList(2, path.size()));
      return ApiResponse.Whole.of(200, openApi.document(document));
    }
    if (HEALTH.contains(root)) {
      return new ApiResponse.Word(200, "ok");
    }
    return ApiResponse.Whole.of(
        200,
        switch (root + path.size()) {
          case "version1" -> Discovery.version();
          case "api1" -> Discovery.coreVersions();
          case "api2" -> discovery.resources("", path.get(1));
          case "apis1" -> discovery.groups();
          case "apis2" -> discovery.group(path.get(1));
          case "openapi2" -> openApi(path.get(1));
          case "apis3" -> discovery.resources(path.get(1), path.get(2));
          default -> throw StatusException.notSimulated("/" + String.join("/", path));
        });
  }

  private ObjectNode openApi(String version) {
    if (!version.equals("v3")) {
      throw StatusException.notSimulated("/openapi/" + version);
    }
    return openApi.index();
  }

  @Override
  public void close() {
    admission.close();
  }
}
