import { prepareWith } from "./sineta.ts";

/** The same with one thread that seals and sends. */
export const prepare = prepareWith({ most: 1 });
