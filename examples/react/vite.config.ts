import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react()],
  // Sineta keeps its secret in data/. Vite gives out every other file of this folder in development.
  server: { fs: { deny: ["**/data/**", ".env", ".env.*", "*.{crt,pem}", "**/.git/**"] } },
});
