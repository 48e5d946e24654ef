package dev.drydock.app.demo;

/** The viewer has seen enough. */
final class Quit extends RuntimeException {}
