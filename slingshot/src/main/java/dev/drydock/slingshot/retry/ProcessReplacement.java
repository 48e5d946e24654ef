package dev.drydock.slingshot.retry;

import java.io.IOException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;

/** Becomes another program, with the same process ID. */
public final class ProcessReplacement {
  private ProcessReplacement() {}

  /**
   * Does not return, unless it fails.
   *
   * @param command its first word is the path of a program
   * @return why it failed
   */
  @SuppressWarnings("restricted") // nothing but the system call does it
  public static IOException become(List<String> command) {
    Linker linker = Linker.nativeLinker();
    AddressLayout pointer = ValueLayout.ADDRESS;
    MethodHandle execv =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("execv"),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, pointer, pointer));
    try (Arena memory = Arena.ofConfined()) {
      MemorySegment words = memory.allocate(pointer, command.size() + 1L);
      for (int i = 0; i < command.size(); i++) {
        words.setAtIndex(pointer, i, memory.allocateFrom(command.get(i)));
      }
      words.setAtIndex(pointer, command.size(), MemorySegment.NULL);
      int result = (int) execv.invokeExact(words.getAtIndex(pointer, 0), words);
      return new IOException("cannot run %s (%d)".formatted(command.getFirst(), result));
    } catch (Throwable impossible) {
      throw new IllegalStateException("execv cannot be called", impossible);
    }
  }
}
