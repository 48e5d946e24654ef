package dev.drydock.maintenance.notify;

/** Told what becomes of notices, by the channel's name; on any thread. */
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
