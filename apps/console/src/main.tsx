import "./app/mantine-styles.ts";
import "./app/global.css";
import "./app/controls.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "./api/query-client.ts";
import { createConsoleRouter, loadAhead } from "./app/router.tsx";
import { theme } from "./app/theme.ts";
import { chosenLanguage } from "./texts/language.ts";
import { loadTexts } from "./texts/texts.ts";
import { TextsProvider } from "./texts/use-texts.tsx";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no element with the id root");

const queries = createQueryClient();
const router = createConsoleRouter(queries);
const language = chosenLanguage();
const words = loadTexts(language);
loadAhead(router);
const texts = await words;

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      // Both would be inline styles, which the page's policy forbids: they are in mantine-styles.ts.
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queries}>
        <TextsProvider first={{ texts, language }}>
          <RouterProvider router={router} />
        </TextsProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
