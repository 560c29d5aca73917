import type { CommandErrorCode } from "@sineta/protocol";

/**
 * What stops a command: its message is one sentence that says what to change, its code stands in the catalogue
 * (`commandErrors` of @sineta/protocol). Printed without a stack.
 */
export class CommandError extends Error {
  readonly code: CommandErrorCode;

  constructor(code: CommandErrorCode, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = "CommandError";
    this.code = code;
  }
}
