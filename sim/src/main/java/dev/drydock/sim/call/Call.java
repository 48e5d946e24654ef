package dev.drydock.sim.call;

/** A parsed request. Absent parts are empty. */
public record Call(
    String verb, String resource, String namespace, String name, String subresource, String user) {}
