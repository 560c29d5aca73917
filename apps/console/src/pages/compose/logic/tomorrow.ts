/** This hour of tomorrow in the operator's zone, as a field for a date and a time has it: "2026-12-01T09:00". */
export function tomorrowAt(hour: number, nowMs: number): string {
  const now = new Date(nowMs);
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  return `${day.getFullYear()}-${digits(day.getMonth() + 1)}-${digits(day.getDate())}T${digits(hour)}:00`;
}

function digits(value: number): string {
  return String(value).padStart(2, "0");
}
