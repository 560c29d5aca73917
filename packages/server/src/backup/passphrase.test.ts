import { describe, expect, test } from "vitest";
import { newPassphrase, withPassphrase } from "./passphrase.ts";

const good = "correct horse battery staple";

/** A terminal at which these answers are given, then none. */
function terminalWith(...answers: string[]) {
  const asked: string[] = [];
  let told = "";
  const askHidden = async (question: string) => {
    asked.push(question);
    return answers.shift() ?? null;
  };
  const terminal = { askHidden, err: (text: string) => void (told += text) };
  return { terminal, asked, told: () => told };
}
const unusable = (says: RegExp) => ({
  code: "passphrase-unusable",
  message: expect.stringMatching(says),
});

describe("a new passphrase", () => {
  test("is that of the setting, and else asked for twice", async () => {
    const silent = terminalWith();
    expect(await newPassphrase({ given: good, ...silent })).toBe(good);
    expect(silent.asked).toEqual([]);
    const person = terminalWith(good, good);
    expect(await newPassphrase({ given: null, ...person })).toBe(good);
    expect(person.asked).toHaveLength(2);
  });

  test.for<[name: string, given: string | null, answers: string[], says: RegExp]>([
    ["is missing", null, [], /set SINETA_BACKUP_PASSPHRASE/],
    ["is not given again", null, [good], /differ/],
    ["differs the second time", null, [good, `${good}!`], /differ/],
    ["is short", null, ["short"], /at least 10 characters/],
    ["is short in the setting", "short", [], /^SINETA_BACKUP_PASSPHRASE .*at least 10 characters/],
    ["is common", "password1234", [], /attackers try it first/],
    ["is long", "x".repeat(201), [], /at most 200 characters/],
  ])("is refused where it %s", async ([, given, answers, says]) => {
    const { terminal } = terminalWith(...answers);
    await expect(newPassphrase({ given, terminal })).rejects.toMatchObject(unusable(says));
  });
});

describe("the passphrase of a back-up", () => {
  const open = async (passphrase: string) => (passphrase === good ? "opened" : null);

  test("is asked for up to three times at a terminal", async () => {
    const person = terminalWith("a", "b", good);
    expect(await withPassphrase({ given: null, ...person }, open)).toBe("opened");
    expect(person.asked).toHaveLength(3);
    expect(person.told()).toBe("That is not the passphrase of this back-up.\n".repeat(2));
    const forgetful = terminalWith("a", "b", "c", good);
    await expect(withPassphrase({ given: null, ...forgetful }, open)).rejects.toMatchObject(
      unusable(/wrong 3 times/),
    );
    expect(forgetful.asked).toHaveLength(3);
  });

  test("is tried once where the setting gives it", async () => {
    const person = terminalWith(good);
    await expect(withPassphrase({ given: "a", ...person }, open)).rejects.toMatchObject(
      unusable(/^SINETA_BACKUP_PASSPHRASE is not/),
    );
    expect(person.asked).toEqual([]);
    expect(await withPassphrase({ given: good, ...person }, open)).toBe("opened");
  });

  test("is missing where no terminal answers", async () => {
    const { terminal } = terminalWith();
    await expect(withPassphrase({ given: null, terminal }, open)).rejects.toMatchObject(
      unusable(/set SINETA_BACKUP_PASSPHRASE/),
    );
  });
});
