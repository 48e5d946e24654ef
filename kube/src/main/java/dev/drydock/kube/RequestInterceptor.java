package dev.drydock.kube;

/**
 * Sees every request. Tests throw from it to make a process die between two requests; what it
 * throws reaches whoever made the request.
 */
public interface RequestInterceptor {
  RequestInterceptor NONE =
      new RequestInterceptor() {
        @Override
        public void before(ApiCall call) {}

        @Override
        public void after(ApiCall call, int code) {}
      };

  void before(ApiCall call);

  /** With the HTTP code, or 0 when no answer came. */
  void after(ApiCall call, int code);
}
