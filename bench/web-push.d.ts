/** The part of web-push that is measured; it brings no types of its own. */
declare module "web-push" {
  const webPush: {
    generateRequestDetails: (
      subscription: { endpoint: string; keys: { p256dh: string; auth: string } },
      payload: Buffer,
      options: {
        TTL: number;
        urgency: string;
        vapidDetails: { subject: string; publicKey: string; privateKey: string };
      },
    ) => { headers: Record<string, string | number>; body: Buffer | null };
    /** Rejects unless the answer is a 2xx. */
    sendNotification: (
      subscription: { endpoint: string; keys: { p256dh: string; auth: string } },
      payload: Buffer,
      options: {
        TTL: number;
        urgency: string;
        vapidDetails: { subject: string; publicKey: string; privateKey: string };
        /** Of node:https. */
        agent: object;
      },
    ) => Promise<{ statusCode: number }>;
  };
  // oxlint-disable-next-line import/no-default-export -- the module is CommonJS: this is how it is imported
  export default webPush;
}
