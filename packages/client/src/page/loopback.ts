/** Whether a page of that host is the developer's own: browsers take these names for secure. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\]|.+\.localhost)$/.test(hostname);
}
