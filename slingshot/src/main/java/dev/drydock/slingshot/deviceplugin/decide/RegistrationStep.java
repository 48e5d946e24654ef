package dev.drydock.slingshot.deviceplugin.decide;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the plugin does next so that its kubelet knows it. */
public sealed interface RegistrationStep {
  /** How long a kubelet may take from the registration until it asks for the devices. */
  Duration ASKS_WITHIN = Duration.ofSeconds(15);

  Duration FIRST_RETRY = Duration.ofSeconds(1);
  Duration LONGEST_RETRY = Duration.ofSeconds(30);

  /** The plugin's socket is gone, or was never there: make it. */
  record Listen() implements RegistrationStep {}

  /** Call the kubelet; the reason is for people. */
  record Register(String reason) implements RegistrationStep {}

  /** The kubelet cannot be called now; the reason is for people. */
  record Wait(String reason, Duration most) implements RegistrationStep {}

  /** The kubelet knows the plugin; look again after this time, unless something happens. */
  record Registered(Optional<Duration> lookAgain) implements RegistrationStep {}

  /**
   * What is seen.
   *
   * @param socket the plugin's own
   * @param kubelet identifies the kubelet's socket; null if there is none
   * @param registration the last one that the kubelet answered; null if there is none
   * @param failure calls since then that were not answered; null if there is none
   */
  record View(
      Socket socket,
      @Nullable Object kubelet,
      @Nullable Registration registration,
      @Nullable Failure failure) {}

  /**
   * Calls in a row that a kubelet did not answer.
   *
   * @param kubelet the socket that was called; another one is called at once
   * @param at when the last one was made, as a time that has passed
   */
  record Failure(Object kubelet, int times, Duration at) {}

  /**
   * A call that the kubelet answered.
   *
   * @param kubelet the socket that was called
   * @param at when, as a time that has passed
   * @param watch what became of the kubelet's request for the devices
   */
  record Registration(Object kubelet, Duration at, Watch watch) {}

  /** The socket on which the plugin serves. */
  enum Socket {
    OURS,
    GONE,
    /** Another process listens under its name. */
    REPLACED
  }

  /** The stream in which the kubelet receives the devices. */
  enum Watch {
    NOT_YET,
    OPEN,
    ENDED
  }

  static RegistrationStep of(View view, Duration now) {
    switch (view.socket()) {
      case GONE -> {
        return new Listen();
      }
      case REPLACED -> {
        // to call the kubelet would only disturb the other one
        return new Wait("another process has taken the plugin's socket", LONGEST_RETRY);
      }
      case OURS -> {}
    }
    if (view.kubelet() == null) {
      return new Wait("no kubelet listens in its folder", LONGEST_RETRY);
    }
    Registration registration = view.registration();
    String reason = reason(view.kubelet(), registration, now);
    if (reason.isEmpty()) {
      return new Registered(
          Optional.ofNullable(registration)
              .filter(each -> each.watch() == Watch.NOT_YET)
              .map(each -> each.at().plus(ASKS_WITHIN).minus(now)));
    }
    Failure failure = view.failure();
    if (failure != null && failure.kubelet().equals(view.kubelet())) {
      Duration left = failure.at().plus(delay(failure.times())).minus(now);
      if (left.isPositive()) {
        return new Wait("the kubelet does not answer", left);
      }
    }
    return new Register(reason);
  }

  /** Why the kubelet has to be called; empty if it need not. */
  private static String reason(Object kubelet, @Nullable Registration registration, Duration now) {
    if (registration == null) {
      return "the kubelet does not know the plugin";
    }
    if (!registration.kubelet().equals(kubelet)) {
      return "the kubelet has restarted";
    }
    return switch (registration.watch()) {
      case OPEN -> "";
      case ENDED -> "the kubelet has stopped watching";
      case NOT_YET ->
          now.minus(registration.at()).compareTo(ASKS_WITHIN) >= 0
              ? "the kubelet has not asked for the devices"
              : "";
    };
  }

  /** 1 s, doubling to 30 s. */
  static Duration delay(int failures) {
    Duration delay = FIRST_RETRY.multipliedBy(1L << Math.min(10, Math.max(0, failures - 1)));
    return delay.compareTo(LONGEST_RETRY) < 0 ? delay : LONGEST_RETRY;
  }
}
