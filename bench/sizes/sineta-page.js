// Its `getToken` and `onMessage` are on what it returns; so is `deleteToken`, which the others are spared.
export { createMessaging } from "../../packages/client/src/index.ts";
