/** Where to go once logged in: a page of the console, and nothing else that an address may name. */
export function validateLogInSearch({ voltar }: Record<string, unknown>): { voltar: string } {
  const isOwn = typeof voltar === "string" && /^\/(?!\/|\\)/.test(voltar);
  return { voltar: isOwn && !voltar.startsWith("/entrar") ? voltar : "/" };
}
