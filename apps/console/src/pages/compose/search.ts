/** What stands in the address of this page. */
export type ComposeSearch = {
  /** A draft's id. */
  rascunho?: string;
  /** The id of a message that the new one shall be like. */
  copiar?: string;
};

export function validateComposeSearch({
  rascunho,
  copiar,
}: Record<string, unknown>): ComposeSearch {
  return {
    ...(typeof rascunho === "string" ? { rascunho } : {}),
    ...(typeof copiar === "string" ? { copiar } : {}),
  };
}
