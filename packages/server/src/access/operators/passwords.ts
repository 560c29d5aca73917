import { argon2 as argon2WithCallback, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const argon2 = promisify(argon2WithCallback);

/** How much work a hash takes. */
export type PasswordWork = {
  /** KiB. */
  memory: number;
  passes: number;
  parallelism: number;
};

/** OWASP, "Password Storage Cheat Sheet", Argon2id: 19 MiB, two passes, one lane. */
const owaspWork: PasswordWork = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const tagBytes = 32;

/** By default each call takes 19 MiB, and a core for some 40 ms: what strangers can ask for takes a turn first (password-turns.ts). */
export type Passwords = {
  /** PHC string: `$argon2id$v=19$m=...,t=...,p=...$salt$tag`. */
  hash(password: string): Promise<string>;
  /**
   * Whether it is this password, and whether its hash was made by other parameters than those of `createPasswords`.
   * @param phc null: nobody's; costs as much, and none fits
   */
  verify(password: string, phc: string | null): Promise<{ fits: boolean; outdated: boolean }>;
};

/** Passwords as they are kept: argon2id (RFC 9106) of their NFKC form. */
export function createPasswords({
  randomBytes,
  work = owaspWork,
}: {
  randomBytes: (count: number) => Uint8Array;
  work?: PasswordWork;
}): Passwords {
  // What is compared with where there is nobody: no password is known to lead to it.
  const nobodys = phcOf({ ...work, salt: randomBytes(saltBytes), tag: randomBytes(tagBytes) });

  return {
    async hash(password) {
      const hash = { ...work, salt: randomBytes(saltBytes), tag: new Uint8Array(tagBytes) };
      return phcOf({ ...hash, tag: await argon2id(password, hash, tagBytes) });
    },

    async verify(password, phc) {
      const hash = readPhc(phc ?? nobodys);
      const tag = await argon2id(password, hash, hash.tag.length);
      const fits = timingSafeEqual(tag, hash.tag) && phc !== null;
      return { fits, outdated: !isMadeBy(work, hash) };
    },
  };
}

type Hash = PasswordWork & { salt: Uint8Array; tag: Uint8Array };

/** argon2id (RFC 9106) of a password's NFKC form. */
export function argon2id(
  password: string,
  { memory, passes, parallelism, salt }: PasswordWork & { salt: Uint8Array },
  byteCount: number,
): Promise<Buffer> {
  return argon2("argon2id", {
    message: password.normalize("NFKC"),
    nonce: salt,
    memory,
    passes,
    parallelism,
    tagLength: byteCount,
  });
}

/** PHC string format, as argon2's own tools write it: base64 without padding. */
function phcOf({ memory, passes, parallelism, salt, tag }: Hash): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

function readPhc(phc: string): Hash {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(phc);
  // Never with the string itself: it would stand in the log.
  if (parts === null) throw new Error("a password's hash in the database cannot be read");
  const [, memory, passes, parallelism, salt = "", tag = ""] = parts;
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64"),
  };
}

function isMadeBy(work: PasswordWork, { memory, passes, parallelism, salt, tag }: Hash): boolean {
  return (
    memory === work.memory &&
    passes === work.passes &&
    parallelism === work.parallelism &&
    salt.length === saltBytes &&
    tag.length === tagBytes
  );
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replace(/=+$/, "");
}
