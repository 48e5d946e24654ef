package dev.drydock.sim.call;

/** A request, as the API server understands it. What a request does not have is empty. */
public record Call(
    String verb, String resource, String namespace, String name, String subresource, String user) {}
