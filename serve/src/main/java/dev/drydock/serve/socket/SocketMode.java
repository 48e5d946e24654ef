package dev.drydock.serve.socket;

import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The mode of a socket's file. Users who may write to the file may connect. */
public record SocketMode(Set<PosixFilePermission> permissions) {
  private static final int BITS = 9;

  public static final SocketMode OWNER_ONLY = parse("0600");

  public SocketMode {
    permissions = Set.copyOf(permissions);
  }

  /**
   * As {@code chmod} takes it.
   *
   * @param octal e.g. {@code 0660}
   * @throws IllegalArgumentException with one line that says what is wrong
   */
  public static SocketMode parse(String octal) {
    if (!octal.matches("0?[0-7]{3}")) {
      throw new IllegalArgumentException(
          "\"%s\" is not a file mode; use octal digits such as 0660".formatted(octal));
    }
    int mode = Integer.parseInt(octal, 8);
    // declared in the order of the bits: OWNER_READ, OWNER_WRITE, ... OTHERS_EXECUTE
    List<PosixFilePermission> all = List.of(PosixFilePermission.values());
    Set<PosixFilePermission> granted = EnumSet.noneOf(PosixFilePermission.class);
    for (int i = 0; i < BITS; i++) {
      if ((mode & 1 << (BITS - 1 - i)) != 0) {
        granted.add(all.get(i));
      }
    }
    return new SocketMode(granted);
  }
}
