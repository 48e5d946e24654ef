package dev.drydock.health.store;

/** An update of one event's state. */
public record EventUpdate(String id, StatusUpdate update) {}
