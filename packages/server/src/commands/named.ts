import { CommandError } from "../command-error.ts";
import { meantQuestion } from "../nearest-name.ts";

/**
 * What a word of the command line names.
 * @param what is named, for the sentence: "There is no setting"
 * @param command whose help lists the names
 * @throws CommandError `usage`: there is no such name. It asks whether the nearest one is meant
 */
export function namedIn<Value>(
  values: Readonly<Record<string, Value>>,
  name: string,
  { what, command }: { what: string; command: string },
): Value {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value !== undefined) return value;
  throw new CommandError(
    "usage",
    `There is no ${what} ${JSON.stringify(name)}: see sineta ${command} --help.${meantQuestion(name, Object.keys(values))}`,
  );
}
