package dev.drydock.dist.broken.kube;

/** A connection. */
public class KubeHttp {}
