import type { Texts } from "../pt/index.ts";

export const session: Texts["session"] = {
  email: "E-mail",
  name: "Name",
  password: "Password",
  showPassword: "Show the password",
  passwordHint: "10 to 200 characters, and no common password.",
  logIn: "Log in",
  logInAgain: "Log in again",
  logInAgainWhy: "Your session has ended. Log in to go on: what you typed is still here.",
  secondFactor: "Code of your authenticator app, or a recovery code",
  invitedAs: (role, project) => `Invitation to the project ${project}: ${role}`,
  firstOwner: "Create your account to begin.",
  createAccount: "Create account",
  acceptInvitation: "Accept the invitation",
  acceptAs: (email) => `You are logged in as ${email}.`,
  cannotLogIn: "Cannot log in?",
  noAccountYet:
    "No account yet? Open the link that the terminal showed when the server started, or ask the administrator of the server for an account, with",
  passwordLost: "Lost your password? Ask the administrator of the server for a new one, by",
  ownAddress: "The console works at Sineta's own address alone, which is",
  thisAddress: "If this is Sineta's address, set this at the server and start it again:",
  passkeyNeeded: "Make another passkey",
  passkeysElsewhere: (host) =>
    `Your passkeys were made for ${host} and do not work at this address. Log in with your password and make another one.`,
  toPasskeys: "Make a passkey",
  goOn: "Continue",
  toLogIn: "Go to log-in",
  unknownDevice: "Unknown browser",
  device: (browser, system) => `${browser} on ${system}`,
  roles: { owner: "Owner", editor: "Editor", viewer: "Viewer" },
  mayNot: (role) => `You may not do this: it takes the role ${role}.`,
};
