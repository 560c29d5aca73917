/** A moment in the operator's zone, as a field for a date and a time has it: "2026-12-01T09:00", with seconds if there are any. */
export function momentField(momentMs: number): string {
  const at = new Date(momentMs);
  const day = [at.getFullYear(), digits(at.getMonth() + 1), digits(at.getDate())].join("-");
  const seconds = at.getSeconds() === 0 ? "" : `:${digits(at.getSeconds())}`;
  return `${day}T${digits(at.getHours())}:${digits(at.getMinutes())}${seconds}`;
}

function digits(value: number): string {
  return String(value).padStart(2, "0");
}
