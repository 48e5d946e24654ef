package dev.drydock.health.resource;

import dev.drydock.kube.ExpectedFailure;

/** A template cannot be used; the message says where and why, in one line. */
public final class ResourceTemplateInvalid extends ExpectedFailure {
  private static final long serialVersionUID = 1L;

  public ResourceTemplateInvalid(String line) {
    super(line);
  }
}
