package dev.drydock.kube;

/**
 * Called for every request. Tests throw from it to simulate a process that dies between two
 * requests; the caller of the request receives the exception.
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

  /** Called with the HTTP code, or 0 if there was no answer. */
  void after(ApiCall call, int code);
}
