/** As the Firebase console gives it out to a site; the project exists nowhere. */
export const firebaseConfig = {
  apiKey: "api-key-of-no-project",
  appId: "1:123456789012:web:0123456789abcdef",
  messagingSenderId: "123456789012",
  projectId: "sineta-e2e",
};
