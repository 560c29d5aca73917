/** Examples of the OpenAPI document, by the name of the schema that each fits. */

const token = "ImXaughy_DrvFp0Hk2XlkPDLyO1GwqeYTIpkKAPP2Ww";
const goneToken = "4lrDhF-MvhKAGi36WonUxV3EeQDztu3Jqe5ZDzwrkxI";
const vapidKey =
  "BCr4qRBLP2TtZA2MfimNLUgPA6NhDLwrM0dDIexZAkpIWS6oVF5B4J1dEQh1nfSO3gBU8iXfOdTw8xJFDgqp3SU";
const messageId = "019ab3c1-7f00-7abc-8def-0123456789ab";
const draftId = "019ab3bf-2c00-7123-9456-0123456789ab";
const imageHash = "MBY5NcAC_E4SAJBsPTCpxJVrSvn23K7x60sfy4-6aec";

const at = "2026-12-01T12:00:00.000Z";
const later = "2026-12-01T12:00:40.000Z";
const nextYear = "2027-12-01T12:00:00.000Z";

const target = { kind: "topic", topic: "ofertas" };
const notification = {
  title: "O pão saiu do forno",
  body: "Até as dez, o pão francês está pela metade do preço.",
  link: "/ofertas/pao-frances",
  image: "https://padaria.example/fotos/pao.jpg",
  actions: [{ action: "reservar", title: "Reservar", link: "/reservas?item=pao" }],
};
const counts = { accepted: 1180, gone: 14, retry: 6, rejected: 0, failed: 0 };
const receipts = { displayed: 903, clicked: 211, closed: 340 };
const publisher = { kind: "api-key", name: "loja" };
const status = {
  id: messageId,
  state: "sending",
  target,
  notification,
  data: { oferta: 42 },
  ttlSeconds: 7200,
  urgency: "normal",
  scheduleAt: at,
  createdAt: at,
  publisher,
  startedAt: at,
  audience: { registrations: 1200, complete: true },
  counts,
  unsent: 0,
  byPushService: [{ pushService: "fcm", registrations: 1200, counts, unsent: 0 }],
  reasons: [
    {
      pushService: "fcm",
      outcome: "retry",
      reason: "server-error",
      detail: "503 Service Unavailable",
      registrations: 6,
    },
  ],
  held: [],
  receipts,
  clicksByAction: { reservar: 57 },
};
const published = { id: messageId, state: "scheduled", scheduleAt: at };

const registration = {
  token,
  state: "live",
  pushService: "fcm",
  browser: "chrome",
  system: "android",
  language: "pt",
  origin: "https://padaria.example",
  userId: "cliente-42",
  registeredAt: at,
  confirmedAt: at,
};

const operator = {
  id: 1,
  email: "ana@padaria.example",
  name: "Ana",
  roles: { default: "owner" },
};
const draftSummary = {
  id: draftId,
  revision: 3,
  title: notification.title,
  createdAt: at,
  changedAt: later,
  changedBy: "Ana",
};
const content = { title: notification.title, body: notification.body };
const image = {
  hash: imageHash,
  url: `https://avisos.padaria.example/images/${imageHash}.jpg`,
  type: "jpg",
  bytes: 48_213,
  widthPixels: 1200,
  heightPixels: 600,
  createdAt: at,
};
const settings = {
  displayName: "Padaria Central",
  receipts: true,
  registrationsQuota: 1_000_000,
  messagesPerHourQuota: 1000,
  origins: ["https://padaria.example", "https://www.padaria.example"],
};
const invitationToken = "imVtlzEZ4C3xkl5iBwzfSOvTeT9l3xWQ0cNn3sM3hYQ";
const passkey = {
  id: 1,
  name: "Celular",
  createdAt: at,
  lastUsedAt: later,
  host: "avisos.padaria.example",
  elsewhere: false,
};
const credential = {
  id: "pPm1QmFzaWxpY2E",
  rawId: "pPm1QmFzaWxpY2E",
  type: "public-key",
  clientExtensionResults: {},
};
const clientDataJSON = "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0";
const password = "sete quedas de madeira";

export const examples: Readonly<Record<string, unknown>> = {
  // What pages send.
  ProjectConfig: { vapidKey, limits: { plaintextBytes: 3993 } },
  RegistrationRequest: {
    subscription: {
      endpoint: "https://fcm.googleapis.com/fcm/send/cWJ3mXyZ0fU:APA91bH",
      keys: { p256dh: vapidKey, auth: "zsBo_qhp203vFCuM_e4rCw" },
    },
    vapidKey,
    locale: "pt-BR",
    timeZone: "America/Sao_Paulo",
    topics: ["ofertas"],
  },
  RegistrationResponse: { token },
  LookResponse: { state: "live", vapidKey, endpointHash: "p3nB1iSuPz0d" },
  Receipt: {
    messageId,
    token,
    key: "zsBo_qhp203vFCuM_e4rCw",
    event: "clicked",
    action: "reservar",
  },

  // Messages.
  MessageRequest: {
    target,
    notification,
    data: { oferta: 42 },
    ttlSeconds: 7200,
    scheduleAt: "2026-12-01T09:00-03:00",
  },
  MessageMove: { scheduleAt: "2026-12-01T10:30-03:00" },
  Published: published,
  DryRun: {
    plaintextBytes: 412,
    registrations: 1200,
    byPushService: [
      { pushService: "fcm", registrations: 1200, refused: [], waiting: [], warnings: [] },
    ],
  },
  MessageStatus: status,
  MessageBrief: { id: messageId, state: "cancelled" },
  MessageList: {
    messages: [
      {
        id: messageId,
        state: "sending",
        title: notification.title,
        target,
        scheduleAt: at,
        createdAt: at,
        publisher,
        audience: status.audience,
        counts,
        unsent: 0,
        receipts,
      },
    ],
    next: messageId,
  },
  MessageExceptions: {
    exceptions: [
      {
        token: goneToken,
        pushService: "fcm",
        outcome: "gone",
        reason: "gone",
        detail: "410 Gone",
        attempts: 1,
        changedAt: later,
      },
    ],
    next: 4711,
  },
  ReceiptsOverTime: { hours: [{ at, accepted: 1180, ...receipts }] },
  DraftSave: { revision: 2, content },
  DraftSummary: draftSummary,
  Draft: { ...draftSummary, content },
  DraftList: { drafts: [draftSummary] },
  DraftPublication: { target, notification },
  Image: image,
  ImageList: { images: [image] },
  ImageUses: { drafts: 1, messages: 0 },

  // Topics.
  TopicList: {
    topics: [
      { name: "ofertas", displayName: "Ofertas do dia", policy: "open", registrations: 1200 },
    ],
  },
  TopicRequest: { name: "ofertas", displayName: "Ofertas do dia", policy: "open" },
  TopicEdit: { policy: "kept" },
  Topic: { name: "ofertas", displayName: "Ofertas do dia", policy: "open" },
  TopicTokens: { tokens: [token, goneToken] },
  TopicChange: { registrations: 1, unknown: [goneToken] },

  // The audience.
  RegistrationList: { registrations: [registration], next: 4711 },
  RegistrationStory: {
    ...registration,
    locale: "pt-BR",
    timeZone: "America/Sao_Paulo",
    generation: 1,
    topics: [{ name: "ofertas", displayName: "Ofertas do dia", policy: "open" }],
    events: [
      { kind: "registered", at },
      { kind: "receipt", at: later, messageId, title: notification.title, event: "clicked" },
    ],
    more: false,
  },
  Audience: {
    live: 1200,
    byPushService: [{ pushService: "fcm", registrations: 1200 }],
    byBrowser: [{ browser: "chrome", registrations: 1200 }],
    bySystem: [{ system: "android", registrations: 1200 }],
    byLanguage: [{ language: "pt", registrations: 1200 }],
  },
  AudienceDays: {
    days: [
      {
        day: "2026-12-01",
        registered: 31,
        returned: 2,
        renewed: 5,
        left: 4,
        gone: 14,
        removed: 0,
        live: 1200,
      },
    ],
  },
  AudienceLosses: {
    losses: [
      { cause: "gone", lost: 11, returned: 0 },
      { cause: "left", lost: 4, returned: 0 },
      { cause: "subscription-missing", lost: 3, returned: 3 },
    ],
  },
  Attention: { items: [{ code: "messages-quota", used: 930, quota: 1000 }] },

  // The delivery.
  Delivery: {
    state: "held",
    hold: { reason: "restored", since: at },
    asOf: later,
    counts: { cancel: 1, now: 0, later: 0, expire: 0 },
    messages: [
      {
        id: messageId,
        title: notification.title,
        state: "sending",
        createdAt: at,
        scheduleAt: at,
        expiresAt: "2026-12-01T14:00:00.000Z",
        registrations: 640,
        doubtful: true,
        fate: "cancel",
      },
    ],
  },
  HoldState: { state: "held", hold: { reason: "asked", since: at } },
  Resume: { sendDue: false, send: [messageId], asOf: later },
  Resumed: { state: "running", hold: null, cancelled: 1 },

  // The project.
  ApiKeyRequest: { name: "loja", scopes: ["send"], expiresAt: nextYear },
  ApiKeyRotation: { graceSeconds: 86_400 },
  MadeApiKey: {
    key: "sineta_Zk3vQ0a9mWc7Yt5Lr2Xb8Nd4Hf6Js1PgUeTiOqKwBxM",
    prefix: "sineta_Zk3vQ0a9",
  },
  ApiKeyList: {
    apiKeys: [
      {
        prefix: "sineta_Zk3vQ0a9",
        name: "loja",
        scopes: ["send"],
        createdAt: at,
        lastUsedAt: later,
        expiresAt: nextYear,
        revokedAt: null,
        createdBy: { kind: "operator", name: "Ana" },
      },
    ],
  },
  ApiKeyRevocation: { cancelMessages: true },
  RevokedApiKey: {
    messages: {
      count: 1,
      cancelled: true,
      first: [{ id: messageId, title: notification.title, state: "scheduled", scheduleAt: at }],
    },
  },
  AuditList: {
    lines: [
      {
        id: 311,
        at,
        actor: { kind: "operator", name: operator.email },
        action: "topic.created",
        subject: "ofertas",
        address: "192.0.2.7",
        change: { policy: "open" },
      },
    ],
    next: 311,
  },
  ProjectSettings: settings,
  SettingsChange: { displayName: settings.displayName },
  OriginUse: {
    origins: settings.origins.map((origin) => ({ origin, registrations: 1520, allowed: true })),
  },
  SiteCheckRequest: { url: "https://padaria.example/" },
  Doctor: {
    findings: [
      {
        code: "certificate-ends-soon",
        check: "certificate",
        state: "to-do",
        subject: "avisos.padaria.example",
        seen: later,
      },
    ],
  },
  DoctorEcho: {
    version: "0.1.0",
    peer: "127.0.0.1",
    address: "203.0.113.9",
    host: "avisos.padaria.example",
    isTrusted: true,
    forwardedFor: "203.0.113.9",
    headers: ["host", "x-forwarded-for"],
    bodyBytes: 0,
  },
  SiteCheck: {
    url: "https://padaria.example/",
    findings: [{ code: "https", state: "ok", reason: "found", seen: null }],
  },
  OperatorList: {
    operators: [
      {
        id: 1,
        email: operator.email,
        name: operator.name,
        role: "owner",
        hasSecondFactor: true,
        createdAt: at,
        lastLoginAt: later,
      },
    ],
  },
  RoleChange: { role: "editor" },
  OperatorChanged: { apiKeys: [] },
  InvitationRequest: { role: "editor", email: "bia@padaria.example" },
  InvitationMade: {
    id: 7,
    link: `https://avisos.padaria.example/painel/convite#${invitationToken}`,
    expiresAt: nextYear,
  },
  InvitationLook: { token: invitationToken },
  InvitationShown: {
    project: "default",
    displayName: settings.displayName,
    role: "editor",
    email: "bia@padaria.example",
  },
  InvitationAccept: {
    token: invitationToken,
    email: "bia@padaria.example",
    name: "Bia",
    password,
  },

  // Operators.
  LogIn: { email: operator.email, password, secondFactor: "123456" },
  Operator: operator,
  PasswordChange: { current: password, new: "doze pontes sobre o rio" },
  PasswordAgain: { password },
  TotpConfirmation: { code: "123456" },
  TotpRemoval: { password, code: "123456" },
  RecoveryCodes: { recoveryCodes: ["k7qd-2mzp-x4tn", "w9fc-8rbh-j3ye"] },
  PasskeyOptionsRequest: { password },
  PasskeyLogInOptionsRequest: {},
  PasskeyRegistration: {
    name: "Celular",
    credential: {
      ...credential,
      response: {
        clientDataJSON,
        attestationObject: "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YQ",
        transports: ["internal"],
      },
    },
  },
  PasskeyLogIn: {
    credential: {
      ...credential,
      response: {
        clientDataJSON,
        authenticatorData: "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2M",
        signature: "MEUCIQCzN2cVNsVbQ1xFh0",
        userHandle: "MQ",
      },
    },
  },
  PasskeyList: { passkeys: [passkey] },
};
