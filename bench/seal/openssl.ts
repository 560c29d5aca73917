import { spawnSync } from "node:child_process";

/** What `openssl speed` tells of this machine in one short run, operations per second of CPU time. */
export type OpensslSpeed = { readonly ecdh: number; readonly sign: number };

/** Which OpenSSL the command is, such as "3.0.19"; null if there is none. It is the system's, not the one within Node. */
export function opensslVersion(): string | null {
  const { status, stdout } = spawnSync("openssl", ["version"], { encoding: "utf8" });
  return status === 0 ? (stdout.split(" ")[1] ?? null) : null;
}

/**
 * ECDH and ECDSA signatures on P-256, a second each. No version tells the speed of making a key pair by itself before 3.2; a
 * signature is the same multiplication of the curve's base point by a random number, and some arithmetic more.
 */
export function opensslSpeed(): OpensslSpeed {
  const words = ["speed", "-mr", "-seconds", "1", "ecdsap256", "ecdhp256"];
  const { stdout } = spawnSync("openssl", words, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const perSecond = (line: string): number => {
    const figure = Number(new RegExp(`^\\+${line}:\\d+:256:([\\d.]+)`, "m").exec(stdout)?.[1]);
    if (!(figure > 0)) throw new Error(`openssl speed said something else:\n${stdout}`);
    return figure;
  };
  return { sign: perSecond("F4"), ecdh: perSecond("F5") };
}

/** Messages per second, if each were one of both and nothing else. */
export function floorRate({ ecdh, sign }: OpensslSpeed): number {
  return 1 / (1 / ecdh + 1 / sign);
}
