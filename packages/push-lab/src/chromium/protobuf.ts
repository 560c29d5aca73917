import { BinaryReader } from "@bufbuild/protobuf/wire";

import { MalformedInput } from "../malformed-input.ts";

/**
 * Reads the fields of a protobuf message that `take` wants, and skips the others.
 *
 * @param take reads the field's value from the reader and returns true, or returns false to have it skipped
 * @throws MalformedInput where the bytes are no protobuf message, or a field is not of the type it is read as
 */
export function readFields(
  message: Uint8Array,
  take: (field: number, reader: BinaryReader) => boolean,
): void {
  try {
    const reader = new BinaryReader(message);
    while (reader.pos < reader.len) {
      const [field, wireType] = reader.tag();
      if (!take(field, reader)) reader.skip(wireType, field);
    }
  } catch (cause) {
    throw new MalformedInput("not a protobuf message", { cause });
  }
}
