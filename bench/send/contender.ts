/** What each sender is given: the same subscriptions, the same message, the same sink. */
export type Task = {
  endpoints: string[];
  p256dh: string[];
  auth: string[];
  /** base64url, of 65 and of 32 bytes. */
  publicKey: string;
  privateKey: string;
  subject: string;
  /** Port of the sink on localhost. */
  port: number;
  notification: { title: string; body: string };
  /** What all seal: as many bytes. */
  plaintextBytes: number;
  ttlSeconds: number;
};

/** Sends one push to the subscription of this place; rejects unless the sink took it. */
export type SendOne = (place: number) => Promise<void>;

/** What a module of a sender exports. */
export type Prepare = (task: Task) => Promise<{ sendOne: SendOne; close: () => Promise<void> }>;

/** From the bench to a sender's process. */
export type Order =
  | { kind: "prepare"; task: Task }
  | { kind: "send"; count: number }
  | { kind: "end" };

/** And back. CPU time is that of all threads of the process. */
export type Report = { kind: "ready" } | { kind: "sent"; seconds: number; cpuSeconds: number };
