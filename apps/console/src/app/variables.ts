import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from "@mantine/core";
import { theme } from "./theme.ts";

/** Mantine sets these for each scheme. Our tokens differ by scheme themselves, so that both get the same. */
const own = {
  "--mantine-color-body": "var(--card)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-bright": "var(--ink)",
  "--mantine-color-dimmed": "var(--muted)",
  "--mantine-color-placeholder": "var(--muted)",
  "--mantine-color-anchor": "var(--ink)",
  "--mantine-color-error": "var(--error)",
  "--mantine-color-success": "var(--ok)",
  "--mantine-color-default": "var(--card)",
  "--mantine-color-default-hover": "var(--soft)",
  "--mantine-color-default-color": "var(--ink)",
  "--mantine-color-default-border": "var(--line)",
  "--mantine-color-disabled": "var(--soft)",
  "--mantine-color-disabled-color": "var(--muted)",
  "--mantine-color-disabled-border": "var(--line)",
  "--mantine-primary-color-contrast": "var(--paper)",
};

/** The theme as CSS variables, as Mantine would write them into the page: without the colours that the console has no use for. */
export function themeVariables(): string {
  const { colors = {} } = theme;
  const { variables, light, dark } = defaultCssVariablesResolver(
    mergeMantineTheme(DEFAULT_THEME, theme),
  );
  const isUsed = ([name]: [string, string]) => {
    const color = /^--mantine-color-([a-z]+)-/.exec(name)?.[1];
    return color === undefined || color in colors || !(color in DEFAULT_THEME.colors);
  };
  const used = (all: Record<string, string>) =>
    Object.fromEntries(Object.entries(all).filter(isUsed));
  return convertCssVariables({
    variables: used(variables),
    light: { ...used(light), ...own },
    dark: { ...used(dark), ...own },
  });
}
