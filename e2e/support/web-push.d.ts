/** The part of web-push the tests use; it brings no types of its own. */
declare module "web-push" {
  type Keys = { publicKey: string; privateKey: string };
  const webPush: {
    generateVAPIDKeys: () => Keys;
    generateRequestDetails: (
      subscription: { endpoint: string; keys: { p256dh: string; auth: string } },
      payload: string | null,
      options: { TTL: number; vapidDetails: Keys & { subject: string } },
    ) => { headers: Record<string, string | number>; body: Buffer };
  };
  // oxlint-disable-next-line import/no-default-export -- the module is CommonJS: this is how it is imported
  export default webPush;
}
