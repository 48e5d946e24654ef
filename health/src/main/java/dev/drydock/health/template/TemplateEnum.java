package dev.drydock.health.template;

/** A number with a name: it is printed by its name, and compared as a number. */
public record TemplateEnum(long number, String name) {}
