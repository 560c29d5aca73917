/** A UUID, version 4 (RFC 9562). `crypto.randomUUID` is not there where the console is reached by plain http. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) => {
    const version = index === 6 ? (byte & 0x0f) | 0x40 : byte;
    const value = index === 8 ? (byte & 0x3f) | 0x80 : version;
    return value.toString(16).padStart(2, "0");
  }).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
