import type { Texts } from "../pt/index.ts";

export const session: Texts["session"] = {
  email: "Correo electrónico",
  name: "Nombre",
  password: "Contraseña",
  showPassword: "Mostrar la contraseña",
  passwordHint: "De 10 a 200 caracteres, y ninguna contraseña común.",
  logIn: "Entrar",
  logInAgain: "Entre de nuevo",
  logInAgainWhy: "Su sesión terminó. Entre para continuar: lo que escribió sigue aquí.",
  secondFactor: "Código de la aplicación de autenticación, o un código de recuperación",
  invitedAs: (role, project) => `Invitación como ${role} del proyecto ${project}`,
  firstOwner: "Cree su cuenta para empezar.",
  createAccount: "Crear cuenta",
  acceptInvitation: "Aceptar la invitación",
  acceptAs: (email) => `Entró como ${email}.`,
  toLogIn: "Ir a la entrada",
  unknownDevice: "Navegador desconocido",
  device: (browser, system) => `${browser} en ${system}`,
  roles: { owner: "propietario/a", editor: "editor/a", viewer: "lector/a" },
  mayNot: (role) => `No puede hacer esto: hace falta ser ${role} del proyecto.`,
};
