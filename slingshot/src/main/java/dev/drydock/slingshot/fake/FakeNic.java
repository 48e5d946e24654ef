package dev.drydock.slingshot.fake;

/**
 * A NIC that the fake NIC kit makes.
 *
 * @param name e.g. {@code cxi0}
 * @param generation of the Cassini chip: 1 or 2
 * @param nid its address on the fabric
 */
public record FakeNic(
    String name, String pciAddress, int generation, int numaNode, int nid, boolean up) {
  private static final int FIRST_BUS = 0x41;
  private static final int FIRST_NID = 0x12340;

  /** As on a machine with two sockets: even ones at the first, odd ones at the second. */
  public static FakeNic numbered(int number) {
    return new FakeNic(
        "cxi" + number,
        "0000:%02x:00.0".formatted((FIRST_BUS + number) & 0xff),
        2,
        number % 2,
        FIRST_NID + number,
        true);
  }

  public FakeNic withGeneration(int other) {
    return new FakeNic(name, pciAddress, other, numaNode, nid, up);
  }

  public FakeNic withNumaNode(int other) {
    return new FakeNic(name, pciAddress, generation, other, nid, up);
  }

  /** The bus has two of its four digits in the address. */
  String bridge() {
    return "pci0000:40/0000:40:%02x.0"
        .formatted(Integer.parseInt(pciAddress.substring(5, 7), 16) & 0x1f);
  }

  String vendor() {
    return generation == 1 ? "0x17db" : "0x1590";
  }

  String device() {
    return generation == 1 ? "0x0501" : "0x0371";
  }
}
