// What the bakery keeps, in one file: its keys, and who wants to be told.
import { readFile, rename, writeFile } from "node:fs/promises";

export async function openStorage(path, generateKeys) {
  const { vapidKeys, subscriptions } = await readFile(path, "utf8").then(JSON.parse, () => {
    const { publicKey, privateKey } = generateKeys();
    return { vapidKeys: [publicKey, privateKey], subscriptions: [] };
  });
  const byEndpoint = new Map(subscriptions.map((one) => [one.endpoint, one]));

  // One write after the other: the file is always whole.
  let written = Promise.resolve();
  const save = () => {
    written = written.then(async () => {
      const content = JSON.stringify({ vapidKeys, subscriptions: [...byEndpoint.values()] });
      await writeFile(`${path}.new`, content, { mode: 0o600 });
      await rename(`${path}.new`, path);
    });
    return written;
  };
  await save();

  return {
    vapidKeys,
    subscriptions: () => [...byEndpoint.values()],
    add: (subscription) => {
      byEndpoint.set(subscription.endpoint, subscription);
      return save();
    },
    remove: (endpoint) => {
      byEndpoint.delete(endpoint);
      return save();
    },
  };
}
