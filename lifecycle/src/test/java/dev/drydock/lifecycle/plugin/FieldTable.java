package dev.drydock.lifecycle.plugin;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Messages as a table describes them, a line each: message, field, number, type. A message without
 * fields is a line of its own. Made at run time, apart from the sources of the product.
 */
final class FieldTable {
  private final String lines;
  private final FileDescriptor file;

  FieldTable(String packageName, String lines) throws DescriptorValidationException {
    this.lines = lines;
    Map<String, DescriptorProto.Builder> messages = new LinkedHashMap<>();
    for (String line : lines.lines().toList()) {
      List<String> cells = cells(line);
      DescriptorProto.Builder message =
          messages.computeIfAbsent(
              cells.getFirst(), name -> DescriptorProto.newBuilder().setName(name));
      if (cells.size() > 1) {
        message.addField(field(cells));
      }
    }
    FileDescriptorProto.Builder proto =
        FileDescriptorProto.newBuilder()
            .setName("table.proto")
            .setSyntax("proto3")
            .setPackage(packageName);
    messages.values().forEach(proto::addMessageType);
    file = FileDescriptor.buildFrom(proto.build(), new FileDescriptor[0]);
  }

  /** As the table has it: a value for each field by its name. */
  byte[] bytes(String message, Map<String, Object> values) {
    Descriptor type = file.findMessageTypeByName(message);
    DynamicMessage.Builder built = DynamicMessage.newBuilder(type);
    values.forEach((field, value) -> built.setField(type.findFieldByName(field), value));
    return built.build().toByteArray();
  }

  /** The values of the fields that are not at their default; anything unknown is an error. */
  Map<String, Object> values(String message, byte[] bytes) throws InvalidProtocolBufferException {
    DynamicMessage parsed = DynamicMessage.parseFrom(file.findMessageTypeByName(message), bytes);
    if (!parsed.getUnknownFields().asMap().isEmpty()) {
      throw new IllegalStateException("fields that are not in the table: " + parsed);
    }
    Map<String, Object> values = new LinkedHashMap<>();
    parsed.getAllFields().forEach((field, value) -> values.put(field.getName(), value));
    return values;
  }

  Set<String> described() {
    Set<String> described = new TreeSet<>();
    lines.lines().forEach(line -> described.add(String.join(" ", cells(line))));
    return described;
  }

  /** Generated messages, described as lines of such a table. */
  static Set<String> describe(FileDescriptor generated) {
    Set<String> described = new TreeSet<>();
    for (Descriptor message : generated.getMessageTypes()) {
      if (message.getFields().isEmpty()) {
        described.add(message.getName());
      }
      for (FieldDescriptor field : message.getFields()) {
        described.add(
            "%s %s %d %s"
                .formatted(
                    message.getName(),
                    field.getName(),
                    field.getNumber(),
                    (field.isRepeated() ? "repeated-" : "")
                        + field.getType().name().toLowerCase(Locale.ROOT)));
      }
    }
    return described;
  }

  private static FieldDescriptorProto field(List<String> cells) {
    boolean repeated = cells.get(3).startsWith("repeated-");
    String type = cells.get(3).replace("repeated-", "");
    return FieldDescriptorProto.newBuilder()
        .setName(cells.get(1))
        .setNumber(Integer.parseInt(cells.get(2)))
        .setType(FieldDescriptorProto.Type.valueOf("TYPE_" + type.toUpperCase(Locale.ROOT)))
        .setLabel(
            repeated
                ? FieldDescriptorProto.Label.LABEL_REPEATED
                : FieldDescriptorProto.Label.LABEL_OPTIONAL)
        .build();
  }

  private static List<String> cells(String line) {
    return List.of(line.strip().split(" +"));
  }
}
