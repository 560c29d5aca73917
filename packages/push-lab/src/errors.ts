/** What can go wrong in using the lab; each message says what to change. */
export type PushLabErrorCode =
  | "port-unavailable"
  | "directory-unusable"
  | "invalid-host"
  | "unknown-endpoint"
  | "browser-missing"
  | "notification-missing"
  | "invalid-fault"
  | "invalid-origin"
  | "lab-closed";

export class PushLabError extends Error {
  readonly code: PushLabErrorCode;

  constructor(code: PushLabErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "PushLabError";
    this.code = code;
  }
}
