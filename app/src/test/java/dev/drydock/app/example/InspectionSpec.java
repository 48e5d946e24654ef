package dev.drydock.app.example;

/** Which node is looked at. */
public record InspectionSpec(String nodeName) {}
