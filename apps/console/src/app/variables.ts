import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from "@mantine/core";
import { theme } from "./theme.ts";

/** Words that stand back must be read all the same (WCAG 2.2, 1.4.3): Mantine's own greys are too pale for that. */
const soft = { light: "#565a6b", dark: "#a7adbd" };
/** The same of what is wrong, and of what destroys. */
const danger = { light: "#b42323", dark: "#ff8f8f" };

/** The theme as CSS variables, as Mantine would write them into the page. */
export function themeVariables(): string {
  const { variables, light, dark } = defaultCssVariablesResolver(
    mergeMantineTheme(DEFAULT_THEME, theme),
  );
  return convertCssVariables({
    variables,
    light: {
      ...light,
      "--mantine-color-dimmed": soft.light,
      "--mantine-color-placeholder": soft.light,
      "--mantine-color-error": danger.light,
      "--mantine-color-red-filled": danger.light,
      "--mantine-color-red-text": danger.light,
      "--mantine-color-red-light-color": danger.light,
    },
    dark: {
      ...dark,
      "--mantine-color-anchor": "#aaa6ff",
      "--mantine-color-dimmed": soft.dark,
      "--mantine-color-placeholder": soft.dark,
      "--mantine-color-error": danger.dark,
      "--mantine-color-red-text": danger.dark,
      "--mantine-color-red-light-color": danger.dark,
    },
  });
}
