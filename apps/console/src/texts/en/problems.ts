import type { Texts } from "../pt/index.ts";

export const problems: Texts["problems"] = {
  "log-in-refused": "E-mail or password do not match.",
  "second-factor-missing": "The code of the second factor is missing.",
  "second-factor-wrong": "This code does not match. Check the clock of your phone, too.",
  "too-many-attempts": "Too many attempts. Wait some minutes and try again.",
  "password-short": "The password is too short: use 10 characters or more.",
  "password-long": "The password is too long: use 200 characters at most.",
  "password-common": "This password is too common and easily guessed. Choose another.",
  "password-like-email": "The password is little more than your e-mail address: add other words.",
  "invitation-gone": "This invitation was used, withdrawn, or has expired. Ask for another.",
  "invitation-for-another": "This invitation is for another e-mail address.",
  "email-taken": "There is an account with this e-mail: choose “I have an account”.",
  "passwords-busy": "The server is busy. Try again in a moment.",
  "body-invalid": "Check what you filled in.",
  "topic-taken": "There is a topic of this name: choose another one, or change the one there is.",
  "topics-exhausted": "The project has 1,000 topics, which is the most. Remove one first.",
  "topic-unknown": "There is no topic of this name. Reload the page.",
  "registration-not-found":
    "There is no registration with this token. Check it; what has ended is removed after some time.",
  "session-ended": "Your session has ended. Log in again.",
  "session-missing": "Log in to go on.",
  "role-missing": "Your role in this project does not allow this. Ask an owner.",
  "password-wrong": "This is not the current password. Type it again.",
  "password-missing": "You logged in more than 10 minutes ago: type your password to go on.",
  "code-wrong":
    "This code is not right, or was used before. Wait for the next one, and check the phone's clock.",
  "second-factor-present": "The second factor is on already. Reload the page.",
  "second-factor-absent": "The second factor is not on. Reload the page and start again.",
  "passkey-invalid": "The request has expired or does not fit. Try again, within 5 minutes.",
  "passkey-known": "This passkey is in use already. Make another one.",
  "passkeys-exhausted": "You have 20 passkeys already. Remove one first.",
  "passkey-unknown": "This passkey is not there any more. Reload the page.",
  "session-unknown": "This session has ended already.",
  "last-owner": "This is the project's only owner. Make somebody else an owner first.",
  "operator-unknown": "This person has left the project already. Reload the page.",
  "api-key-not-found": "This key is not good any more. Reload the page.",
  "expiry-in-past": "This expiry is over already. Choose another one.",
  "origin-not-allowed":
    "This address is at none of the project's origins. Add the origin in the project's settings or, where it is set, to SINETA_ORIGINS.",
  "cross-site-refused":
    "The console was opened at an address that is not Sineta's own, so nothing was saved.",
  "origins-set-by-environment":
    "The origins come from SINETA_ORIGINS: change the variable at the server and start it again.",
  "too-many-requests": "There were too many requests in a short time. Wait a minute and try again.",
  "message-quota-reached":
    "The project has published as many notices as it may this hour. Wait, or raise the limit in the settings.",
  "token-not-found":
    "This browser is not registered any more. Reload the page and turn the bell on again.",
  "storage-full": "The server's disk is full: nothing was stored. Make room and try again.",
  offline: "No connection: nothing was sent. Try again.",
  "server-unreachable": "The server did not answer. Check the connection and try again.",
  "draft-unknown": "This draft is not there any more.",
  "hold-changed": "Delivery has changed since you looked. Reload the page.",
  "message-started": "The scheduled notice has begun to go out and cannot be changed any more.",
  "message-ended": "This notice has ended and cannot be changed or cancelled any more.",
  "message-replaced": "Another notice has already replaced the scheduled notice.",
  "draft-changed": "This draft was changed elsewhere.",
  "draft-published": "This draft was sent already.",
  "drafts-exhausted": "The project has 200 drafts already. Delete some.",
  "image-unreadable":
    "This file is no picture that every browser shows, or a part of it is missing. Use PNG, JPEG or WebP.",
  "image-too-large":
    "This picture is too large, even when made smaller. Use one of at most 300 kB and 2,048 pixels.",
  "images-exhausted":
    "The project has 500 pictures already. Delete those that no notice uses any more.",
  "image-in-use": "A notice that is still to go out uses this picture. Wait, or cancel the notice.",
  "image-unknown": "This picture is not there any more.",
  "notification-too-large": "The notice is more than push services carry. Shorten it.",
  "condition-invalid": "This condition cannot be read.",
  "schedule-in-past": "The chosen moment is over.",
  "schedule-too-far": "Choose a moment within a year.",
  "message-not-found": "There is no such notice.",
  "json-malformed": "The server could not read the request. Reload the page and try again.",
  "body-too-large": "This is too large for the server. Shorten it.",
  "content-type-unsupported":
    "The server does not take this type of content. Reload the page and try again.",
  "content-encoding-unsupported":
    "The server takes no compressed content. See whether a proxy in front of it compresses requests.",
  "charset-unsupported":
    "The server reads text in UTF-8 alone. See whether a proxy in front of it changes headers.",
  "subscription-key-invalid":
    "This browser's subscription has an invalid key. Turn on notices again.",
  "subscription-auth-invalid":
    "This browser's subscription has an invalid secret. Turn on notices again.",
  "endpoint-not-allowed":
    "Sineta does not send to this browser's push service. If the service is your own, allow its name with SINETA_PUSH_HOSTS.",
  "vapid-key-unknown":
    "This browser's subscription was made with another key. Reload the page and turn on notices again.",
  "client-secret-malformed":
    "The server does not recognise this browser. Reload the page and turn on notices again.",
  "origin-missing":
    "The request came without the header Origin. See whether a proxy in front of the server removes it.",
  "project-unknown": "There is no such project.",
  "registration-unknown":
    "This browser is not registered any more. Reload the page and turn on notices again.",
  "registration-refused":
    "The server does not accept this subscription. Reload the page and turn on notices again.",
  "subscription-gone":
    "The push service has ended this browser's subscription. Reload the page and turn on notices again.",
  "topic-kept": "This topic is closed: only your own system or your team puts a browser into it.",
  "user-token-invalid":
    "The server does not accept what the site says about this user. Check the key that the site signs it with.",
  "user-token-expired": "What the site said about this user has expired. Reload the page.",
  "quota-reached":
    "The project has as many browsers as it may have. Raise the limit in the settings.",
  "too-many-at-once": "The server is doing much work of this kind. Wait a little and try again.",
  "dry-run-limit-reached": "The audience was counted many times in a short time. Wait a minute.",
  "export-limit-reached": "You exported many times in a short time. Wait a minute and try again.",
  "receipt-refused":
    "The server does not accept this confirmation: it is not of this notice, or came too late.",
  "api-key-missing": "An API key is missing, or an operator who is logged in. Log in again.",
  "api-key-invalid":
    "This API key is not valid: it is another project's, was revoked, or has expired.",
  "scope-missing": "This API key may not do this.",
  "passkey-refused": "This passkey was not accepted. Try again, or log in with your password.",
  "idempotency-key-malformed":
    "The request has an invalid identification. Reload the page and try again.",
  "idempotency-key-reused":
    "Another notice was sent from this page already. Reload it and look at the list of notices.",
  "streams-exhausted": "Many pages are watching notices live. Close some.",
  "route-unknown":
    "This page asked for something that the server does not know. Reload it: perhaps the server has another version now.",
  "not-ready":
    "The server cannot work at the moment. Try again shortly; the server's log holds the cause.",
  internal: "The server failed. Try again; the server's log holds the cause.",
  unexpected: "Something failed on this page. Reload it and try again.",
};

export const unknownProblem: Texts["unknownProblem"] = (code) =>
  `Something went wrong (${code}). Try again.`;
