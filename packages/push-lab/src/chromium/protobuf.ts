import { BinaryReader } from "@bufbuild/protobuf/wire";

/**
 * Reads the fields of a protobuf message that `take` wants, and skips the others.
 *
 * @param take reads the field's value from the reader and returns true, or returns false to have it skipped
 * @throws Error where the bytes are no protobuf message
 */
export function readFields(
  message: Uint8Array,
  take: (field: number, reader: BinaryReader) => boolean,
): void {
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (!take(field, reader)) reader.skip(wireType, field);
  }
}
