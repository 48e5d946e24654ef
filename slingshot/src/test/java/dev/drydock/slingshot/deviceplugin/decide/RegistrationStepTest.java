package dev.drydock.slingshot.deviceplugin.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.slingshot.deviceplugin.decide.RegistrationStep.Failure;
import dev.drydock.slingshot.deviceplugin.decide.RegistrationStep.Listen;
import dev.drydock.slingshot.deviceplugin.decide.RegistrationStep.Register;
import dev.drydock.slingshot.deviceplugin.decide.RegistrationStep.Registered;
import dev.drydock.slingshot.deviceplugin.decide.RegistrationStep.Registration;
import dev.drydock.slingshot.deviceplugin.decide.RegistrationStep.Socket;
import dev.drydock.slingshot.deviceplugin.decide.RegistrationStep.View;
import dev.drydock.slingshot.deviceplugin.decide.RegistrationStep.Wait;
import dev.drydock.slingshot.deviceplugin.decide.RegistrationStep.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RegistrationStepTest {
  private static final Duration NOW = Duration.ofSeconds(1000);
  private static final String KUBELET = "this kubelet";

  private static Registration registered(Object with, Watch watch, long secondsAgo) {
    return new Registration(with, NOW.minusSeconds(secondsAgo), watch);
  }

  private static RegistrationStep step(
      @Nullable Object kubelet, @Nullable Registration registration, @Nullable Failure failure) {
    return RegistrationStep.of(new View(Socket.OURS, kubelet, registration, failure), NOW);
  }

  @Test
  void withoutItsSocketItListensWhateverElseIsTheCase() {
    for (@Nullable Object kubelet : kubelets()) {
      for (@Nullable Registration registration : registrations()) {
        assertThat(RegistrationStep.of(new View(Socket.GONE, kubelet, registration, null), NOW))
            .isEqualTo(new Listen());
      }
    }
  }

  @Test
  void whoeverTookItsSocketIsNotDisturbed() {
    for (@Nullable Object kubelet : kubelets()) {
      for (@Nullable Registration registration : registrations()) {
        assertThat(RegistrationStep.of(new View(Socket.REPLACED, kubelet, registration, null), NOW))
            .isEqualTo(
                new Wait("another process has taken the plugin's socket", Duration.ofSeconds(30)));
      }
    }
  }

  private static List<@Nullable Object> kubelets() {
    List<@Nullable Object> all = new ArrayList<>();
    all.add(null);
    all.add(KUBELET);
    all.add("another kubelet");
    return all;
  }

  private static List<@Nullable Registration> registrations() {
    List<@Nullable Registration> all = new ArrayList<>();
    all.add(null);
    for (Watch watch : Watch.values()) {
      all.add(registered(KUBELET, watch, 1));
      all.add(registered(KUBELET, watch, 100));
    }
    return all;
  }

  @Test
  void withoutAKubeletItWaits() {
    registrations()
        .forEach(
            registration ->
                assertThat(step(null, registration, null))
                    .isEqualTo(
                        new Wait("no kubelet listens in its folder", Duration.ofSeconds(30))));
  }

  @Test
  void atItsStartItRegisters() {
    assertThat(step(KUBELET, null, null))
        .isEqualTo(new Register("the kubelet does not know the plugin"));
  }

  @ParameterizedTest
  @EnumSource(Watch.class)
  void aKubeletThatRestartedIsCalledAtOnceEvenAfterFailuresOfTheOther(Watch watch) {
    assertThat(
            step("the next kubelet", registered(KUBELET, watch, 1), new Failure(KUBELET, 9, NOW)))
        .isEqualTo(new Register("the kubelet has restarted"));
  }

  @Test
  void aKubeletThatWatchesIsLeftAlone() {
    assertThat(step(KUBELET, registered(KUBELET, Watch.OPEN, 100_000), null))
        .isEqualTo(new Registered(Optional.empty()));
  }

  @Test
  void aKubeletThatStoppedWatchingIsCalled() {
    assertThat(step(KUBELET, registered(KUBELET, Watch.ENDED, 1), null))
        .isEqualTo(new Register("the kubelet has stopped watching"));
  }

  @Test
  void aKubeletThatDoesNotAskForTheDevicesIsCalledAgain() {
    assertThat(step(KUBELET, registered(KUBELET, Watch.NOT_YET, 5), null))
        .isEqualTo(new Registered(Optional.of(Duration.ofSeconds(10))));
    assertThat(step(KUBELET, registered(KUBELET, Watch.NOT_YET, 15), null))
        .isEqualTo(new Register("the kubelet has not asked for the devices"));
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "3, 4", "4, 8", "5, 16", "6, 30", "60, 30"})
  void aKubeletThatDoesNotAnswerIsCalledLessAndLess(int times, long seconds) {
    Duration delay = Duration.ofSeconds(seconds);

    assertThat(step(KUBELET, null, new Failure(KUBELET, times, NOW)))
        .isEqualTo(new Wait("the kubelet does not answer", delay));
    assertThat(step(KUBELET, null, new Failure(KUBELET, times, NOW.minus(delay))))
        .isInstanceOf(Register.class);
  }
}
