/** Bounds that browser and server agree on. Each name carries its unit. */
export const limits = {
  /** Random bytes of a registration token, and of a client secret. */
  tokenBytes: 32,
  /** RFC 8030 asks a push service for 4,096 bytes; RFC 8291 takes 103 of them for aes128gcm. */
  plaintextBytes: 3993,
  registrationBodyBytes: 16 * 1024,
  endpointCharacters: 2048,
  titleCharacters: 200,
  bodyCharacters: 2000,
  linkCharacters: 2048,
  /** More than any browser shows. */
  actions: 3,
  actionTitleCharacters: 60,
  userIdCharacters: 128,
  /** Room for the claims with as many topics as a request may name; it travels in a registration's body. */
  userTokenCharacters: 12 * 1024,
  topicsPerRequest: 100,
  topicsPerProject: 1000,
  originsPerProject: 100,
  /** Of an origin: more than the longest name that DNS can hold makes. */
  originCharacters: 300,
  /** The most that a project's quotas can be set to. */
  registrationsQuota: 100_000_000,
  messagesPerHourQuota: 100_000,
  receiptBodyBytes: 1024,
  /** Room for a message with as many tokens as it may name. */
  messageBodyBytes: 128 * 1024,
  tokensPerRequest: 1000,
  /** Of tokens that belong to nobody, so many are named. */
  unknownTokensNamed: 100,
  /** Of a revoked key's messages that had not ended, so many are named. */
  openMessagesNamed: 100,
  conditionCharacters: 1000,
  /** Names in a condition: each is looked up for every registration. */
  conditionTopics: 20,
  tagCharacters: 200,
  languageCharacters: 35,
  /** RFC 5321, section 4.5.3.1.3: a path, without its brackets. */
  emailCharacters: 254,
  operatorNameCharacters: 100,
  displayNameCharacters: 100,
  apiKeyNameCharacters: 100,
  /** Counted as Unicode characters. */
  passwordCharacters: { least: 10, most: 200 },
  /** What is read of an e-mail address or a password that somebody typed. */
  typedCharacters: 1000,
  passkeysPerOperator: 20,
  /** Levels of objects and lists in a message's data. */
  dataDepth: 8,
  idempotencyKeyCharacters: 255,
  /** What somebody is writing, as it is saved: room for all fields of a message at their longest, and for many tokens. */
  draftBodyBytes: 128 * 1024,
  draftsPerProject: 200,
  /** Of an uploaded image. Every browser that shows the notification loads it. */
  imageBytes: 300_000,
  imageSidePixels: 2048,
  imagesPerProject: 500,
  /** How far ahead a message may be scheduled. */
  scheduleAheadSeconds: 366 * 24 * 60 * 60,
  /** The longest that a push service keeps a message for: 28 days (FCM's bound). */
  ttlSeconds: 28 * 24 * 60 * 60,
} as const;
