package dev.drydock.slingshot.deviceplugin;

import dev.drydock.slingshot.deviceplugin.DevicePluginMessages.ListAndWatchResponse;
import dev.drydock.slingshot.deviceplugin.decide.RegistrationStep.Watch;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The streams in which kubelets receive the devices: the newest list first, then each new one. */
final class DeviceStreams {
  private final Runnable ended;
  private final Map<Long, StreamObserver<ListAndWatchResponse>> open = new LinkedHashMap<>();
  private ListAndWatchResponse devices = ListAndWatchResponse.getDefaultInstance();
  private long last;

  /**
   * @param ended called when a kubelet stops watching
   */
  DeviceStreams(Runnable ended) {
    this.ended = ended;
  }

  /** Sends the list to all, if it is another one. Returns whether it is. */
  synchronized boolean publish(ListAndWatchResponse next) {
    if (next.equals(devices)) {
      return false;
    }
    devices = next;
    open.values().forEach(stream -> stream.onNext(next));
    return true;
  }

  synchronized void add(StreamObserver<ListAndWatchResponse> stream) {
    long number = ++last;
    if (stream instanceof ServerCallStreamObserver<ListAndWatchResponse> call) {
      // without a handler, sending to a kubelet that is gone would throw
      call.setOnCancelHandler(() -> remove(number));
    }
    open.put(number, stream);
    stream.onNext(devices);
  }

  private void remove(long number) {
    synchronized (this) {
      open.remove(number);
    }
    ended.run();
  }

  /** The number of streams so far. */
  synchronized long count() {
    return last;
  }

  /** What became of the streams after these. */
  synchronized Watch after(long count) {
    if (open.keySet().stream().anyMatch(number -> number > count)) {
      return Watch.OPEN;
    }
    return last > count ? Watch.ENDED : Watch.NOT_YET;
  }

  /** Ends all of them. */
  void end() {
    List<StreamObserver<ListAndWatchResponse>> all;
    synchronized (this) {
      all = new ArrayList<>(open.values());
      open.clear();
    }
    all.forEach(StreamObserver::onCompleted);
  }
}
