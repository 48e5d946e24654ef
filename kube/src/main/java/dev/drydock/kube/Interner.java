package dev.drydock.kube;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Keeps one instance of equal values, so that what thousands of objects repeat, such as labels and
 * owners, is in memory once. Values that are no longer used elsewhere are dropped. Thread-safe.
 */
public final class Interner {
  private final Map<Object, WeakReference<Object>> values = new WeakHashMap<>();

  /** The instance that equals this one; the value must be immutable. */
  @SuppressWarnings("unchecked") // equal values are of the same class
  public synchronized <T> T intern(T value) {
    WeakReference<Object> known = values.get(value);
    Object same = known == null ? null : known.get();
    if (same != null && same.getClass() == value.getClass()) {
      return (T) same;
    }
    values.put(value, new WeakReference<>(value));
    return value;
  }
}
