/** The part of web-push the tests use; it brings no types of its own. */
declare module "web-push" {
  type Keys = { publicKey: string; privateKey: string };
  const webpush: {
    generateVAPIDKeys: () => Keys;
    generateRequestDetails: (
      subscription: { endpoint: string; keys: { p256dh: string; auth: string } },
      payload: string | Buffer | null,
      options: {
        vapidDetails: Keys & { subject: string };
        TTL?: number;
        urgency?: string;
        topic?: string;
        contentEncoding?: string;
      },
    ) => { endpoint: string; headers: Record<string, string | number>; body: Buffer | null };
  };
  // oxlint-disable-next-line import/no-default-export -- the module is CommonJS: this is how it is imported
  export default webpush;
}
