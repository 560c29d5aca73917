export { workerDependencies } from "./dependencies.ts";
export type { WorkerDependencies } from "./dependencies.ts";
export { handlePush } from "./push.ts";
export { handleNotificationClick } from "./click.ts";
export { handleNotificationClose } from "./close.ts";
export { handleSubscriptionChange } from "./subscription-change.ts";
