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
 * Tests on a real control plane: parameters of type {@link ControlPlane} (one for the whole run)
 * and {@link TestNamespace} (one for each parameter) are filled in. Skipped where no control plane
 * can run, or failed there when {@code DRYDOCK_REQUIRE_CLUSTER=true}.
 */
@Documented
@Inherited
@Tag("cluster")
@ExtendWith(ClusterExtension.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface ClusterTest {}
