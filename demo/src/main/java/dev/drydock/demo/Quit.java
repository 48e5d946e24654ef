package dev.drydock.demo;

/** The viewer wants to quit. */
final class Quit extends RuntimeException {}
