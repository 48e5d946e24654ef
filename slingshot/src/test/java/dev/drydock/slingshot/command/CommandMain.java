package dev.drydock.slingshot.command;

import dev.drydock.testbed.CommandOutcome;

/** The program, for tests that need a process of their own. */
final class CommandMain {
  private CommandMain() {}

  public static void main(String[] arguments) {
    System.exit(CommandOutcome.commandLine(arguments).execute(arguments));
  }
}
