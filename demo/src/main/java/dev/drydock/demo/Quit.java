package dev.drydock.demo;

/** The viewer has seen enough. */
final class Quit extends RuntimeException {}
