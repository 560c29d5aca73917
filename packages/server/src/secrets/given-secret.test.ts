import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { textOfSecret } from "./given-secret.ts";

let folder: string;
let dataFolder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sineta-given-"));
  dataFolder = join(folder, "data");
  mkdirSync(dataFolder);
});
afterEach(() => rmSync(folder, { recursive: true }));

const variable = "SINETA_SECRET_FILE";
const refused = (message: RegExp) =>
  expect.objectContaining({ code: "setting-invalid", message: expect.stringMatching(message) });

describe("a given secret", () => {
  test("is the text of its setting as it stands there", () => {
    const text = ` ${"s".repeat(40)} `;
    expect(textOfSecret({ variable: "SINETA_SECRET", text }, dataFolder)).toBe(text);
  });

  test("is the text of its file without white space around it", () => {
    const path = join(folder, "given");
    for (const end of ["", "\n", "\r\n", " \n\n"]) {
      writeFileSync(path, `${"s".repeat(32)}${end}`);
      expect(textOfSecret({ variable, path }, dataFolder)).toBe("s".repeat(32));
    }
  });

  test.for([
    ["\n", /^The file of SINETA_SECRET_FILE, .+given, holds nothing: expected at least 32/],
    [`${"s".repeat(31)}\n`, /^The file of SINETA_SECRET_FILE, .+given, holds 31 characters: /],
  ] as const)("is refused where its file holds %j", ([text, message]) => {
    const path = join(folder, "given");
    writeFileSync(path, text);
    expect(() => textOfSecret({ variable, path }, dataFolder)).toThrow(refused(message));
  });

  test("is refused where its file lies in the data folder, also by a link", () => {
    const own = join(dataFolder, "secret");
    writeFileSync(own, "s".repeat(43));
    const link = join(folder, "link");
    symlinkSync(own, link);
    for (const path of [own, link]) {
      expect(() => textOfSecret({ variable, path }, dataFolder)).toThrow(
        refused(/^The file of SINETA_SECRET_FILE, .+, lies in the data folder .+data, where /),
      );
    }
  });

  test("is refused where its file is not there", () => {
    const path = join(folder, "none");
    expect(() => textOfSecret({ variable, path }, dataFolder)).toThrow(
      refused(/^The file of SINETA_SECRET_FILE, .+none, is not there\.$/),
    );
  });
});
