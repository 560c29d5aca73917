// Where the browsers are that tests and demo drive: where the published lab looks for them, too.
export { findChromium, findFirefox } from "../packages/push-lab/src/browsers/find.mjs";
