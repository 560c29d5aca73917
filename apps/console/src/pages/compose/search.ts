import { isId } from "../../api/is-id.ts";

/** What stands in the address of this page. */
export type ComposeSearch = {
  /** A draft's id. */
  rascunho?: string;
  /** The id of a message that the new one shall be like. */
  copiar?: string;
};

/** What is no id is left out. */
export function validateComposeSearch({
  rascunho,
  copiar,
}: Record<string, unknown>): ComposeSearch {
  return {
    ...(isId(rascunho) ? { rascunho } : {}),
    ...(isId(copiar) ? { copiar } : {}),
  };
}
