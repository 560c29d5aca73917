import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

import { readFields } from "./protobuf.ts";

/** A browser profile's identity, both numbers in decimal: who it is, and what proves it. */
export type Credentials = { readonly browser: string; readonly securityToken: string };

/**
 * Reads an AndroidCheckinRequest (google_apis/gcm/protocol/checkin.proto in Chromium's source): who the profile says it is,
 * or undefined at its first check-in.
 *
 * @throws MalformedInput where the bytes are no protobuf message
 */
export function readCheckIn(body: Uint8Array): Credentials | undefined {
  let browser = "0";
  let securityToken = "0";
  readFields(body, (field, reader) => {
    if (field === 2) browser = BigInt.asUintN(64, BigInt(reader.int64())).toString();
    else if (field === 13) securityToken = reader.fixed64().toString();
    else return false;
    return true;
  });
  return browser === "0" || securityToken === "0" ? undefined : { browser, securityToken };
}

/** Writes an AndroidCheckinResponse. */
export function writeCheckInAnswer(credentials: Credentials, nowMs: number): Uint8Array {
  const answer = new BinaryWriter();
  answer.tag(1, WireType.Varint).bool(true);
  answer.tag(3, WireType.Varint).int64(Math.trunc(nowMs));
  answer.tag(7, WireType.Bit64).fixed64(credentials.browser);
  answer.tag(8, WireType.Bit64).fixed64(credentials.securityToken);
  return answer.finish();
}
