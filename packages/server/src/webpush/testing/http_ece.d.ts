/** The part of http_ece that the tests use; it brings no types of its own. */
declare module "http_ece" {
  import type { ECDH } from "node:crypto";
  const ece: {
    decrypt: (
      body: Buffer,
      options: { version: "aes128gcm"; privateKey: ECDH; authSecret: Buffer },
    ) => Buffer;
  };
  // oxlint-disable-next-line import/no-default-export -- the module is CommonJS: this is how it is imported
  export default ece;
}
