import type { Texts } from "../pt/index.ts";

export const session: Texts["session"] = {
  email: "Correo electrónico",
  name: "Nombre",
  password: "Contraseña",
  showPassword: "Mostrar la contraseña",
  passwordHint: "De 10 a 200 caracteres, y ninguna contraseña común.",
  logIn: "Entrar",
  logInAgain: "Entra de nuevo",
  logInAgainWhy: "Tu sesión terminó. Entra para continuar: lo que escribiste sigue aquí.",
  secondFactor: "Código de la aplicación de autenticación, o un código de recuperación",
  invitedAs: (role, project) => `Invitación al proyecto ${project}: ${role}`,
  firstOwner: "Crea tu cuenta para empezar.",
  createAccount: "Crear cuenta",
  acceptInvitation: "Aceptar la invitación",
  acceptAs: (email) => `Entraste como ${email}.`,
  cannotLogIn: "¿No puedes entrar?",
  noAccountYet:
    "¿Aún no hay cuenta? Abre el enlace que mostró la terminal al iniciar el servidor, o pide una cuenta a quien cuida del servidor, con",
  passwordLost: "¿Olvidaste la contraseña? Pide una nueva a quien cuida del servidor, con",
  ownAddress: "El panel solo funciona en la dirección de Sineta, que es",
  thisAddress: "Si esta es la dirección de Sineta, define esto en el servidor e inícialo de nuevo:",
  passkeyNeeded: "Crea otra llave de acceso",
  passkeysElsewhere: (host) =>
    `Tus llaves de acceso se crearon para ${host} y no funcionan en esta dirección. Entra con la contraseña y crea otra.`,
  toPasskeys: "Crear llave de acceso",
  goOn: "Continuar",
  toLogIn: "Ir al inicio de sesión",
  unknownDevice: "Navegador desconocido",
  device: (browser, system) => `${browser} en ${system}`,
  roles: { owner: "Propietario", editor: "Editor", viewer: "Lector" },
  mayNot: (role) => `No puedes hacer esto: hace falta el papel ${role}.`,
};
