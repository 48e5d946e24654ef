package dev.drydock.simulate.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoundedQuantitiesTest {
  @Test
  void podsRequestWhatTheSchedulerCounts() throws JsonProcessingException {
    assertThat(
            RoundedQuantities.requests(
                new ObjectMapper()
                    .readTree(
                        """
                        {"initContainers": [
                           {"resources": {"requests": {"cpu": "3"}}},
                           {"restartPolicy": "Always", "resources": {"requests": {"cpu": "1"}}}],
                         "containers": [
                           {"resources": {"requests": {"cpu": "500m", "hugepages-2Mi": "2Mi"}}},
                           {"resources": {"limits": {"memory": "1.5Gi", "nvidia.com/gpu": "2"}}}]}
                        """)))
        .isEqualTo(Map.of("cpu", "3000m", "memory", "1536Mi", "nvidia.com/gpu", "2"));
  }
}
