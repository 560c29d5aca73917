/** Puts what was looked at and what was seen into a sentence of the catalogue. */
export function doctorText(
  text: string,
  { subject, seen }: { subject: string | null; seen: string | null },
): string {
  return text.replaceAll("{subject}", () => subject ?? "").replaceAll("{seen}", () => seen ?? "");
}
