package dev.drydock.health.template;

import java.util.Optional;

/** A value with fields and methods without arguments, both by their names in Go. */
public interface TemplateStruct {
  /** How it is called in messages. */
  String typeName();

  /** Empty if there is no such field or method; {@link TemplateValues#NIL} for a nil pointer. */
  Optional<Object> member(String name);
}
