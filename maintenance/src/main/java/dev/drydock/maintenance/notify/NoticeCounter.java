package dev.drydock.maintenance.notify;

/** Counts the results of deliveries by the channel's name. Called on any thread. */
public interface NoticeCounter {
  NoticeCounter NONE =
      new NoticeCounter() {
        @Override
        public void delivered(String channel) {}

        @Override
        public void failed(String channel) {}
      };

  void delivered(String channel);

  /** Each try that failed, and each notice that was given up. */
  void failed(String channel);
}
