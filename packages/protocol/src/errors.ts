/**
 * The one catalogue of errors. A code never changes its meaning. docs/errors.md is written from this file, and a
 * test keeps the two alike; the server makes its page /docs/errors from it.
 */
type ErrorEntry = {
  /** Status of the HTTP answer; absent for what never travels over HTTP. */
  status?: number;
  /** What happened. */
  title: string;
  /** What to do. */
  remedy: string;
};

/** Errors of the HTTP interface. */
export const httpErrors = {
  "json-malformed": {
    status: 400,
    title: "The body is not JSON.",
    remedy: "Send a JSON object in UTF-8.",
  },
  "body-invalid": {
    status: 400,
    title: "The body or a parameter does not have the expected shape.",
    remedy: "Compare the fields named in the answer with /v1/openapi.json.",
  },
  "body-too-large": {
    status: 413,
    title: "The body is larger than this route allows.",
    remedy:
      "Send at most 128 KiB for a message, a draft or tokens, 1 KiB for a receipt, and 16 KiB else.",
  },
  "content-type-unsupported": {
    status: 415,
    title: "The body does not have the Content-Type that this route takes.",
    remedy: "Send application/json. A look takes text/plain.",
  },
  "content-encoding-unsupported": {
    status: 415,
    title: "The body is compressed.",
    remedy: "Send it uncompressed, without a Content-Encoding.",
  },
  "charset-unsupported": {
    status: 415,
    title: "The Content-Type names another charset than UTF-8.",
    remedy: "Send UTF-8.",
  },
  "subscription-key-invalid": {
    status: 400,
    title: "The subscription's p256dh is not a point of the curve P-256.",
    remedy:
      "`fields` says why. Send the subscription as PushSubscription.toJSON() gives it. The server reads base64 and padding, too.",
  },
  "subscription-auth-invalid": {
    status: 400,
    title: "The subscription's auth is not 16 bytes of base64url.",
    remedy:
      "`fields` says why. Send the subscription as PushSubscription.toJSON() gives it. The server reads base64 and padding, too.",
  },
  "endpoint-not-allowed": {
    status: 400,
    title: "The endpoint is none of a push service that Sineta sends to.",
    remedy:
      "The answer says why. If your browsers use a push service of your own, allow its host with SINETA_PUSH_HOSTS.",
  },
  "vapid-key-unknown": {
    status: 400,
    title: "The subscription was made with a VAPID key that is not the project's.",
    remedy:
      "Subscribe again with the key that the project's config gives; `sineta keys` prints it. " +
      "The server's log and the console's first page name the page's origin and the first characters of its key.",
  },
  "client-secret-malformed": {
    status: 400,
    title: "The client secret is missing or malformed.",
    remedy:
      "Send 32 random bytes as base64url, the same ones for every request of this browser. They go into the Sineta-Client-Secret header; a look takes them as its body.",
  },
  "origin-missing": {
    status: 403,
    title: "The request carries no Origin header.",
    remedy:
      "Call this route from a page of the project's site; browsers add the header themselves.",
  },
  "origin-not-allowed": {
    status: 403,
    title: "The page's origin is not one of the project's.",
    remedy:
      "Add the page's origin to SINETA_ORIGINS or, where that is not set, to the project's settings (`sineta settings origins`).",
  },
  "project-unknown": {
    status: 404,
    title: "There is no such project.",
    remedy: "Check the address; the project that exists from the start is `default`.",
  },
  "registration-unknown": {
    status: 404,
    title: "There is no registration with this token and this client secret.",
    remedy: "Nothing needs to be done: a browser that is not registered receives nothing.",
  },
  "registration-not-found": {
    status: 404,
    title: "The project has no registration with this token.",
    remedy: "Check the token; what ended long ago is removed after some time.",
  },
  "registration-refused": {
    status: 409,
    title: "This subscription cannot be registered with these credentials.",
    remedy: "Unsubscribe in the browser, subscribe again, and register the new subscription.",
  },
  "subscription-gone": {
    status: 409,
    title: "The push service has ended this subscription.",
    remedy:
      "Unsubscribe in the browser, subscribe again, and register the new subscription with the same token and client secret. Sineta's client does so by itself, once a day at most.",
  },
  "topic-unknown": {
    status: 404,
    title: "The project has no topic of this name.",
    remedy: "`sineta topics` lists the topics there are, `sineta topics add NAME` makes one.",
  },
  "topic-taken": {
    status: 409,
    title: "The project has a topic of this name.",
    remedy: "Choose another name, or change the topic that there is.",
  },
  "topics-exhausted": {
    status: 409,
    title: "The project has as many topics as may be: 1,000.",
    remedy: "Remove one first.",
  },
  "topic-kept": {
    status: 403,
    title: "Visitors may not join this topic by themselves.",
    remedy:
      "Let the site's backend name the topic in the user token, or make it open with `sineta topics set NAME --open`.",
  },
  "user-token-invalid": {
    status: 403,
    title: "The user token is not a JWT that this project accepts.",
    remedy:
      "The answer says what is wrong. Sign it with HS256 and the key that `sineta user-key` prints; give it `sub`, and an `exp` at most 24 hours ahead.",
  },
  "user-token-expired": {
    status: 403,
    title: "The user token's time is over.",
    remedy: "Let the site's backend sign a new one, and check both clocks.",
  },
  "too-many-requests": {
    status: 429,
    title: "Too many requests of this kind came from this address.",
    remedy:
      "Wait as long as Retry-After says; if all visitors share a proxy's address, set SINETA_TRUSTED_PROXIES.",
  },
  "quota-reached": {
    status: 403,
    title: "The project has as many live registrations as its quota allows.",
    remedy: "Raise it with `sineta settings registrations-quota NUMBER`.",
  },
  "too-many-at-once": {
    status: 429,
    title: "The server allows no more work of this kind at once.",
    remedy:
      "Wait for the seconds in Retry-After. Ask for one after the other. Close the event streams that you do not read.",
  },
  "message-quota-reached": {
    status: 429,
    title: "The project has published as many messages within an hour as its quota allows.",
    remedy:
      "Wait as long as Retry-After says, or raise it with `sineta settings messages-per-hour-quota NUMBER`.",
  },
  "dry-run-limit-reached": {
    status: 429,
    title: "The API key has asked for as many dry runs within a minute as a key may: 60.",
    remedy: "Wait as long as Retry-After says; publishing has a quota of its own.",
  },
  "export-limit-reached": {
    status: 429,
    title: "Who asks has taken away as much within a minute as one may: 30 exports.",
    remedy: "Wait as long as Retry-After says.",
  },
  "receipt-refused": {
    status: 403,
    title:
      "The receipt's key does not belong to this message and this registration, or the message ended so long ago that " +
      "its receipts are not kept any more.",
    remedy:
      "Send message id, token and key as they came with the push, within the time that receipts are kept.",
  },
  "api-key-missing": {
    status: 401,
    title: "This route needs an API key, or an operator who is logged in.",
    remedy: "Send Authorization: Bearer and a key that `sineta api-keys create` made.",
  },
  "api-key-invalid": {
    status: 401,
    title: "The API key is not one of this project's, was revoked, or has expired.",
    remedy:
      "Check the key; `sineta api-keys` lists those there are, `sineta api-keys create` makes one.",
  },
  "api-key-not-found": {
    status: 404,
    title: "The project has no API key with this prefix that is good.",
    remedy: "The list of API keys has those there are.",
  },
  "expiry-in-past": {
    status: 400,
    title: "The time at which the API key shall expire is over.",
    remedy: "Give a time to come, or leave it out.",
  },
  "scope-missing": {
    status: 403,
    title: "The API key may not do this: it was made without the scope that it takes.",
    remedy:
      "Make another one with `sineta api-keys create --scopes`; /v1/openapi.json names what each route takes.",
  },
  "session-missing": {
    status: 401,
    title: "This route needs an operator who is logged in.",
    remedy: "Log in first; an API key will not do.",
  },
  "session-ended": {
    status: 401,
    title: "The session has ended, by itself or because somebody ended it.",
    remedy: "Log in again.",
  },
  "role-missing": {
    status: 403,
    title: "Your role in this project does not allow this.",
    remedy:
      "Ask an owner of the project; `viewer` sees, `editor` also publishes, `owner` decides who may.",
  },
  "cross-site-refused": {
    status: 403,
    title: "The request comes from a page that is not the console's.",
    remedy:
      "Open the console at Sineta's own address, or set SINETA_PUBLIC_URL to the one at which you open it; a program uses an API key and no cookie.",
  },
  "origins-set-by-environment": {
    status: 409,
    title: "The origins of the project's pages are set by SINETA_ORIGINS.",
    remedy: "Change that at the server and start it again, or leave it out there.",
  },
  "log-in-refused": {
    status: 401,
    title: "No operator has this e-mail address and this password.",
    remedy:
      "Check both; whoever runs the server sets a new password with `sineta operators recover`.",
  },
  "second-factor-missing": {
    status: 401,
    title: "The password is right, and a second factor has to come with it.",
    remedy: "Send a code of the authenticator application, or a recovery code, as secondFactor.",
  },
  "second-factor-wrong": {
    status: 401,
    title: "The password is right, but the second factor is not, or was used before.",
    remedy:
      "Wait for the application's next code, and check the clocks of its device and of the server; or send a recovery code.",
  },
  "passkey-refused": {
    status: 401,
    title: "No operator has this passkey, or its answer is not valid here and now.",
    remedy:
      "Ask for new options and try again; a passkey made at another address of the console does not fit here.",
  },
  "too-many-attempts": {
    status: 429,
    title: "There were too many attempts to log in.",
    remedy:
      "Wait as long as Retry-After says; after wrong ones a browser that has logged in before is let in.",
  },
  "passwords-busy": {
    status: 503,
    title: "The server is checking as many passwords as it allows at once.",
    remedy: "Try again in a few seconds.",
  },
  "password-wrong": {
    status: 403,
    title: "The current password is not this one.",
    remedy: "Type it again.",
  },
  "password-missing": {
    status: 403,
    title: "This needs the password again: you logged in more than 10 minutes ago.",
    remedy: "Send it as password.",
  },
  "code-wrong": {
    status: 403,
    title: "The code is not right, or was used before.",
    remedy:
      "Wait for the application's next code, and check the clocks of its device and of the server.",
  },
  "second-factor-present": {
    status: 409,
    title: "You have a second factor.",
    remedy: "Remove it first, with the password and a code.",
  },
  "second-factor-absent": {
    status: 409,
    title: "You have no second factor, or none that waits to be confirmed.",
    remedy: "Ask for a new secret first.",
  },
  "passkey-invalid": {
    status: 400,
    title: "The passkey's answer does not fit what it was asked.",
    remedy: "Ask for new options, and answer within 5 minutes, on a page of the console.",
  },
  "passkey-known": {
    status: 409,
    title: "Somebody has this passkey.",
    remedy: "Make a new one.",
  },
  "passkeys-exhausted": {
    status: 409,
    title: "You have as many passkeys as may be: 20.",
    remedy: "Remove one first.",
  },
  "passkey-unknown": {
    status: 404,
    title: "You have no passkey with this id.",
    remedy: "Ask for the list anew.",
  },
  "password-short": {
    status: 400,
    title: "The password has fewer than 10 characters.",
    remedy: "Choose a longer one; a few words in a row are easy to keep in mind.",
  },
  "password-long": {
    status: 400,
    title: "The password has more than 200 characters.",
    remedy: "Choose a shorter one.",
  },
  "password-common": {
    status: 400,
    title: "The password is one of those that everybody tries first.",
    remedy: "Choose another one; digits or punctuation at its end make it no better.",
  },
  "password-like-email": {
    status: 400,
    title: "The password is made of the e-mail address.",
    remedy: "Choose another one: whoever knows the address would try it.",
  },
  "session-unknown": {
    status: 404,
    title: "You have no session with this id.",
    remedy: "Ask for the list anew: it may have ended meanwhile.",
  },
  "invitation-gone": {
    status: 404,
    title: "The invitation was used, was withdrawn, or has expired.",
    remedy: "Ask an owner of the project for a new one.",
  },
  "invitation-for-another": {
    status: 403,
    title: "The invitation is for another e-mail address.",
    remedy: "Use the address that it was made for, or ask for another invitation.",
  },
  "email-taken": {
    status: 409,
    title: "There is an operator with this e-mail address.",
    remedy:
      "Log in first, then open the invitation again; after five such addresses it ends, unless it is for one.",
  },
  "operator-unknown": {
    status: 404,
    title: "The project has no operator with this id.",
    remedy: "Ask for the list anew.",
  },
  "last-owner": {
    status: 409,
    title: "The project has no other owner.",
    remedy: "Make somebody else an owner first.",
  },
  "message-not-found": {
    status: 404,
    title: "The project has no message with this id.",
    remedy: "Check the id; a list of messages has those there are.",
  },
  "message-ended": {
    status: 409,
    title: "The message has ended, so it cannot be cancelled, moved or replaced any more.",
    remedy: "Nothing needs to be done: its state says how it ended.",
  },
  "message-started": {
    status: 409,
    title: "The sending of the message has begun, so it cannot be moved or replaced any more.",
    remedy: "Cancel it, and the registrations that it has not reached get nothing.",
  },
  "message-replaced": {
    status: 409,
    title: "Another message has replaced this one.",
    remedy:
      "Look at the message with the answer's `messageId`, and cancel, move or replace that one.",
  },
  "condition-invalid": {
    status: 400,
    title: "The condition cannot be read.",
    remedy:
      "Write it as 'a' in topics && ('b' in topics || !('c' in topics)); the answer names the position that is wrong.",
  },
  "schedule-in-past": {
    status: 400,
    title: "The time that the message is scheduled for is over.",
    remedy: "Give a time to come, or leave it out to send at once.",
  },
  "schedule-too-far": {
    status: 400,
    title: "The message is scheduled further ahead than Sineta keeps it.",
    remedy: "Give a time within the next 366 days.",
  },
  "notification-too-large": {
    status: 400,
    title: "The notification takes more bytes than push services carry.",
    remedy: "Shorten it; the answer names the bytes it takes, of 3,993.",
  },
  "token-not-found": {
    status: 404,
    title: "There is no registration with this token that can be reached.",
    remedy: "Check the token; a browser that has left cannot be sent to.",
  },
  "idempotency-key-malformed": {
    status: 400,
    title: "The Idempotency-Key header is malformed.",
    remedy: "Send 1 to 255 visible ASCII characters, other ones for each message.",
  },
  "idempotency-key-reused": {
    status: 409,
    title: "Another message was published with this Idempotency-Key.",
    remedy: "Use a new key for a new message, and the same body to repeat the old one.",
  },
  "hold-changed": {
    status: 409,
    title: "The hold that the request names is not there any more, so the resume was refused.",
    remedy: "Read the delivery anew: it runs, or another hold with another list is there.",
  },
  "draft-changed": {
    status: 409,
    title: "The draft was changed or removed meanwhile, so nothing was saved.",
    remedy: "Read it anew, decide which of the two is to stay, and save that with its revision.",
  },
  "draft-published": {
    status: 409,
    title: "The draft was published already, so it can be neither changed nor published again.",
    remedy:
      "Look at the message that the answer names; write what else is to be said as a new draft.",
  },
  "draft-unknown": {
    status: 404,
    title: "The project has no draft with this id.",
    remedy: "Ask for the list anew: it may have been removed meanwhile.",
  },
  "drafts-exhausted": {
    status: 409,
    title: "The project has as many drafts as may be: 200.",
    remedy: "Remove some that nobody needs any more.",
  },
  "image-unreadable": {
    status: 400,
    title: "The file is no image that every browser shows, or a part of it is missing.",
    remedy: "Send a whole PNG, JPEG or WebP file.",
  },
  "image-too-large": {
    status: 413,
    title: "The image is larger than a notification should carry.",
    remedy: "Send at most 300 kB, and at most 2,048 pixels a side.",
  },
  "images-exhausted": {
    status: 409,
    title: "The project has as many images as may be: 500.",
    remedy: "Remove some that no notification shows any more.",
  },
  "image-in-use": {
    status: 409,
    title: "A message that has not ended shows the image.",
    remedy: "Cancel the messages that show it, or wait until they have gone out.",
  },
  "image-unknown": {
    status: 404,
    title: "There is no such image.",
    remedy: "Check the address; it may have been removed.",
  },
  "storage-full": {
    status: 507,
    title: "The server's disk is full, so nothing was stored.",
    remedy: "Free space on the server's data folder, then send the request again.",
  },
  "streams-exhausted": {
    status: 503,
    title: "The server already serves as many event streams as it allows.",
    remedy: "Close some, or ask for the message itself every few seconds.",
  },
  "route-unknown": {
    status: 404,
    title: "There is nothing at this address.",
    remedy: "Compare method and path with /v1/openapi.json.",
  },
  "not-ready": {
    status: 503,
    title: "The server cannot work at the moment.",
    remedy: "Try again shortly; the server's log holds the cause.",
  },
  internal: {
    status: 500,
    title: "The server failed to answer.",
    remedy: "Try again; the server's log holds the cause under the request id of the answer.",
  },
} as const satisfies Record<string, ErrorEntry & { status: number }>;
export type HttpErrorCode = keyof typeof httpErrors;

/** Errors of the browser's side: `MessagingError.code`. */
export const messagingErrors = {
  "worker-failed": {
    title: "The service worker could not be found or installed.",
    remedy:
      "Serve the worker's file at the address given as `worker`, as JavaScript. The page's Content-Security-Policy must allow it.",
  },
  "subscribe-failed": {
    title: "The browser could not make, find or end the push subscription.",
    remedy: "Try again later; the error's `cause` holds the browser's own words.",
  },
  "token-timeout": {
    title: "The token was not there within 20 seconds of the permission being granted.",
    remedy:
      "Check that browser and server can be reached; the error's `late` settles if the answer still comes.",
  },
  "server-unreachable": {
    title: "The Sineta server could not be reached.",
    remedy: "Check that the server runs and that the page may connect to it (CSP, CORS).",
  },
  "server-refused": {
    title: "The Sineta server refused the registration.",
    remedy: "The error's `problem` names the server's code; look it up in this catalogue.",
  },
  "not-registered": {
    title: "This browser has no token yet.",
    remedy: "Ask for a token first: topics and users belong to a registration.",
  },
  "storage-failed": {
    title: "The browser could not keep or read the site's data.",
    remedy:
      "Allow the site's cookies and data in the browser's settings; free disk space; close the site's other tabs.",
  },
} as const satisfies Record<string, ErrorEntry>;
export type MessagingErrorCode = keyof typeof messagingErrors;

/** Errors of the command line: printed as one sentence, exit status 1 (2 for wrong usage). */
export const commandErrors = {
  "setting-invalid": {
    title: "A setting has a value that cannot be used.",
    remedy: "The sentence names the variable, the value and what is expected.",
  },
  "data-unwritable": {
    title: "The data folder cannot be read or written.",
    remedy:
      "The sentence names the file or folder and says what to do. A folder of another user needs Sineta to run as that user.",
  },
  "data-damaged": {
    title: "The database in the data folder is damaged, empty or lost, or it is another program's.",
    remedy:
      "Stop Sineta, move sineta.db, sineta.db-wal and sineta.db-shm away, and put a back-up there with `sineta restore FILE`. Set SINETA_DATA to another folder if the database is another program's.",
  },
  "data-too-new": {
    title: "The data folder was written by a later version of Sineta.",
    remedy:
      "Run that version or a later one, go back to a back-up from before the upgrade, or set SINETA_DATA to another folder.",
  },
  "server-outdated": {
    title: "An older Sineta server runs on this data folder.",
    remedy: "Start it again with this version: it would not understand what this version writes.",
  },
  "server-not-ready": {
    title: "The server does not answer, or it is not ready.",
    remedy:
      "Look at the server's log. If the server runs, check that SINETA_HOST and SINETA_PORT are the ones it was started with.",
  },
  "data-missing": {
    title: "There is no Sineta data in this folder.",
    remedy: "Name the server's data folder with SINETA_DATA, or start sineta serve first.",
  },
  "data-in-use": {
    title: "Another Sineta server or another program already works on this data folder.",
    remedy:
      "If a server upgrades the data, wait until it is ready. Else stop the other one, or set SINETA_DATA to another folder.",
  },
  "secret-unusable": {
    title: "The secret that opens the stored keys is missing, cannot be read or does not fit.",
    remedy:
      "If the secret cannot be read, let the user that runs Sineta read it. Else put back the file `secret` that belongs to this data folder, or give the secret that sealed its keys with SINETA_SECRET or SINETA_SECRET_FILE.",
  },
  "port-in-use": {
    title: "The port is taken.",
    remedy: "Stop the other program, or set SINETA_PORT to another port.",
  },
  "address-unavailable": {
    title: "The address cannot be listened on.",
    remedy:
      "Set SINETA_HOST to an address of this machine. For a port below 1024, give the process the capability CAP_NET_BIND_SERVICE.",
  },
  "site-missing": {
    title: "The site has not been built.",
    remedy: "Run npm run build.",
  },
  usage: {
    title: "The command's words are off.",
    remedy: "Run sineta --help.",
  },
  "token-unknown": {
    title: "There is no registration with this token that can be reached.",
    remedy: "Check the token; a browser that has left cannot be sent to.",
  },
  "topic-missing": {
    title: "The project has no topic of this name.",
    remedy: "`sineta topics` lists the topics there are, `sineta topics add NAME` makes one.",
  },
  "topic-exists": {
    title: "The project has a topic of this name already.",
    remedy: "Choose another name, or change the policy with `sineta topics set`.",
  },
  "message-unknown": {
    title: "There is no message with this id.",
    remedy: "`sineta messages` lists the latest ones with their ids.",
  },
  "message-invalid": {
    title: "The message has a value that cannot be sent.",
    remedy: "The sentence names the value and what is expected.",
  },
  "message-quota": {
    title: "The project has published as many messages within an hour as its quota allows.",
    remedy: "Wait, or raise it with `sineta settings messages-per-hour-quota NUMBER`.",
  },
  "topics-full": {
    title: "The project has as many topics as it can have: 1,000.",
    remedy: "Remove one with `sineta topics remove`.",
  },
  "message-over": {
    title: "The message has ended, so it cannot be cancelled, moved or replaced any more.",
    remedy: "`sineta messages ID` tells how it ended.",
  },
  "message-begun": {
    title: "The sending of the message has begun, so it cannot be moved or replaced any more.",
    remedy:
      "After `sineta messages cancel ID` the registrations that it has not reached get nothing.",
  },
  "message-superseded": {
    title: "Another message has replaced this one.",
    remedy: "The sentence names that message: cancel, move or replace it.",
  },
  "api-key-unknown": {
    title: "There is no API key with this prefix.",
    remedy: "`sineta api-keys` lists those there are.",
  },
  "operator-missing": {
    title: "There is no operator with this e-mail address.",
    remedy: "`sineta operators` lists those there are.",
  },
  "operator-exists": {
    title: "There is an operator with this e-mail address already.",
    remedy: "`sineta operators recover` gives a new password.",
  },
  "only-owner": {
    title: "A project has no other owner than this operator.",
    remedy:
      "Make another owner first, with `sineta operators create` or `sineta operators invite`.",
  },
  "data-full": {
    title:
      "The disk of the data folder, or of the back-up, is full, so the command cannot do its work.",
    remedy: "Free space, then run the command again.",
  },
  "backup-exists": {
    title: "A file has the name of the back-up.",
    remedy: "Name another file, or move the old file away.",
  },
  "backup-unwritable": {
    title: "The back-up's file cannot be made there.",
    remedy: "The sentence says why. Name a file in a folder that the command's user may write to.",
  },
  "backup-unremovable": {
    title: "The new back-up is whole, but an old one cannot be removed.",
    remedy:
      "The sentence names the old one. Let the command's user change the folder, or remove old back-ups by hand.",
  },
  "backup-unreadable": {
    title: "The back-up cannot be read.",
    remedy: "The sentence says why. Name the file that `sineta backup` has made.",
  },
  "backup-damaged": {
    title: "The back-up is damaged, a part of it is missing, or a program has written to it.",
    remedy: "Copy the file anew from where it was made, or take another back-up.",
  },
  "backup-foreign": {
    title: "The file is not a back-up of Sineta.",
    remedy: "Name a file that `sineta backup` has made.",
  },
  "data-present": {
    title: "The data folder is not empty, so no back-up is put into it.",
    remedy: "Move what is there away, or set SINETA_DATA to an empty folder.",
  },
  "passphrase-unusable": {
    title: "The passphrase of the back-up's secret is missing, too weak or wrong.",
    remedy:
      "Call the command at a terminal, or set SINETA_BACKUP_PASSPHRASE. A new passphrase has at least 10 characters and is no common password.",
  },
  "origins-fixed": {
    title: "The origins of the project's pages are set by SINETA_ORIGINS.",
    remedy: "Change that where the server is started, or leave it out there.",
  },
  "notification-invalid": {
    title: "The notification has a value that cannot be sent.",
    remedy: "The sentence names the value and what is expected.",
  },
} as const satisfies Record<string, ErrorEntry>;
export type CommandErrorCode = keyof typeof commandErrors;

export type ErrorSection = {
  title: string;
  introduction: string;
  entries: Readonly<Record<string, ErrorEntry>>;
};

/** The catalogue as pages show it. Texts may have code in backticks. */
export const errorSections: readonly ErrorSection[] = [
  {
    title: "HTTP",
    introduction: "The server answers with `application/problem+json`; `code` is the name below.",
    entries: httpErrors,
  },
  {
    title: "Browser",
    introduction:
      "A `MessagingError` carries its `code`. The bell hands it to `onError` and to `useNotifications().error`; visitors see nothing.",
    entries: messagingErrors,
  },
  {
    title: "Command line",
    introduction:
      "The `sineta` command prints one sentence and ends with status 1, or 2 where its own words are off.",
    entries: commandErrors,
  },
];
