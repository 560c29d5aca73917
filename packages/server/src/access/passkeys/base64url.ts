export function fromBase64Url(text: string): Uint8Array {
  return Buffer.from(text, "base64url");
}

export function toBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
