package dev.drydock.app.example;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** Keeps a node out of service while somebody looks at it. */
@Group("example.drydock.dev")
@Version("v1")
public final class Inspection extends CustomResource<InspectionSpec, Void> implements Namespaced {}
