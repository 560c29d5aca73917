import { isId } from "../../api/is-id.ts";

/** What stands in the address of this page. */
export type ComposeSearch = {
  /** A draft's id. */
  rascunho?: string;
  /** The id of a message that the new one shall be like. */
  copiar?: string;
  /** The id of a scheduled message that the new one shall take the place of. */
  editar?: string;
};

/** What is no id is left out. */
export function validateComposeSearch({
  rascunho,
  copiar,
  editar,
}: Record<string, unknown>): ComposeSearch {
  return {
    ...(isId(rascunho) ? { rascunho } : {}),
    ...(isId(copiar) ? { copiar } : {}),
    ...(isId(editar) ? { editar } : {}),
  };
}
