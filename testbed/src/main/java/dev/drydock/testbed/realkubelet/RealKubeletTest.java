package dev.drydock.testbed.realkubelet;

import dev.drydock.testbed.ClusterTest;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A {@link ClusterTest} with real containers. Injects parameters of type {@link RealKubelet}, one
 * node per test class. Where containers cannot run, tests are skipped, or fail if {@code
 * DRYDOCK_REQUIRE_CLUSTER=true}.
 */
@Documented
@Inherited
@ClusterTest
@Tag("kubelet")
@ExtendWith(RealKubeletExtension.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface RealKubeletTest {}
