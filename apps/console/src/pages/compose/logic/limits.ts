import type { limits as protocolLimits } from "@sineta/protocol";

/** Bounds of the protocol. Its type makes sure that they are the same: none of the package is bundled. */
export const limits: Pick<
  typeof protocolLimits,
  | "plaintextBytes"
  | "titleCharacters"
  | "bodyCharacters"
  | "linkCharacters"
  | "actions"
  | "actionTitleCharacters"
  | "conditionTopics"
  | "conditionCharacters"
  | "userIdCharacters"
  | "tagCharacters"
  | "ttlSeconds"
  | "scheduleAheadSeconds"
  | "imageBytes"
  | "imageSidePixels"
  | "dataDepth"
> = {
  plaintextBytes: 3993,
  titleCharacters: 200,
  bodyCharacters: 2000,
  linkCharacters: 2048,
  actions: 3,
  actionTitleCharacters: 60,
  conditionTopics: 20,
  conditionCharacters: 1000,
  userIdCharacters: 128,
  tagCharacters: 200,
  ttlSeconds: 2_419_200,
  scheduleAheadSeconds: 31_622_400,
  imageBytes: 300_000,
  imageSidePixels: 2048,
  dataDepth: 8,
};
