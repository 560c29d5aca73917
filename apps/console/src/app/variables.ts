import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from "@mantine/core";
import { theme } from "./theme.ts";

/** Words that stand back must be read all the same (WCAG 2.2, 1.4.3): Mantine's own greys are too pale for that. */
const soft = { light: "#565a6b", dark: "#a7adbd" };

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
    },
    dark: {
      ...dark,
      "--mantine-color-anchor": "#aaa6ff",
      "--mantine-color-dimmed": soft.dark,
      "--mantine-color-placeholder": soft.dark,
    },
  });
}
