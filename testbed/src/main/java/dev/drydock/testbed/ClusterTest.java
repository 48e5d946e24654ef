package dev.drydock.testbed;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs tests on a real control plane and injects parameters of type {@link ControlPlane} (one for
 * the whole run) and {@link TestNamespace} (one per parameter). Where no control plane can run,
 * tests are skipped, or fail if {@code DRYDOCK_REQUIRE_CLUSTER=true}.
 */
@Documented
@Inherited
@Tag("cluster")
@ExtendWith(ClusterExtension.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface ClusterTest {}
