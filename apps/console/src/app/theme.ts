import {
  colorsTuple,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from "@mantine/core";

/** The attributes of a field that holds an address or an expression. */
export const leftToRight = { input: { dir: "ltr" } } as const;

/*
 * Mantine in the colours of @sineta/look/theme.css. Each of these has its own dark value, so a scale of ten repeats a few of them.
 * Mantine reads `gray` in the light and `dark` in the dark.
 */
const gray: MantineColorsTuple = [
  "var(--soft)",
  "var(--soft)",
  "var(--line)",
  "var(--line)",
  "var(--second)",
  "var(--second)",
  "var(--muted)",
  "var(--muted)",
  "var(--ink)",
  "var(--ink)",
];
const dark: MantineColorsTuple = [
  "var(--ink)",
  "var(--ink)",
  "var(--muted)",
  "var(--second)",
  "var(--line)",
  "var(--soft)",
  "var(--soft)",
  "var(--soft)",
  "var(--soft)",
  "var(--paper)",
];

/** The house's two, and one for each state. A component's `color` is one of these names. */
const colors = {
  ink: colorsTuple("var(--ink)"),
  brass: colorsTuple("var(--brass)"),
  green: colorsTuple("var(--ok)"),
  yellow: colorsTuple("var(--warning)"),
  red: colorsTuple("var(--error)"),
  gray,
  dark,
};

/** Buttons are ink, or have the colour of their state. Only a filled button has a coloured background. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const { variant, color, theme } = input;
  const own =
    color === undefined || color === "gray" ? "var(--ink)" : (theme.colors[color]?.[0] ?? color);
  if (variant === "filled") {
    return {
      background: own,
      hover: `color-mix(in oklab, ${own} 86%, var(--paper))`,
      color: "var(--paper)",
      border: "1px solid transparent",
    };
  }
  if (variant === "default" || variant === "light") {
    return {
      background: "var(--card)",
      hover: "var(--soft)",
      color: own,
      border: "1px solid var(--line)",
    };
  }
  if (variant === "subtle") {
    return {
      background: "transparent",
      hover: "var(--soft)",
      color: own,
      border: "1px solid transparent",
    };
  }
  return defaultVariantColorsResolver(input);
};

/** What is selected is brass. */
const selected = { color: "brass", iconColor: "var(--paper)" };

export const theme = createTheme({
  colors,
  primaryColor: "ink",
  variantColorResolver,
  black: "var(--ink)",
  defaultRadius: "md",
  radius: { md: "var(--round-control)", lg: "var(--round-card)" },
  fontFamily: "var(--font)",
  fontFamilyMonospace: "var(--font-code)",
  fontSizes: {
    xs: "var(--text-small)",
    sm: "0.875rem",
    md: "var(--text)",
    lg: "1.0625rem",
    xl: "1.25rem",
  },
  lineHeights: { sm: "1.45", md: "1.45" },
  headings: { fontWeight: "700" },
  respectReducedMotion: true,
  cursorType: "pointer",
  // People write in any script. Fields for addresses and codes say otherwise.
  components: {
    TextInput: { defaultProps: { attributes: { input: { dir: "auto" } } } },
    Textarea: { defaultProps: { attributes: { input: { dir: "auto" } } } },
    Checkbox: { defaultProps: selected },
    Radio: { defaultProps: selected },
    SegmentedControl: { defaultProps: { withItemsBorders: false } },
    Switch: { defaultProps: { color: "brass" } },
    CloseButton: { defaultProps: { iconSize: 20 } },
    Modal: { defaultProps: { radius: "lg" } },
    ModalRoot: { defaultProps: { radius: "lg" } },
    Loader: { defaultProps: { color: "brass" } },
    Tabs: { defaultProps: { color: "var(--brass-line)" } },
    Progress: { defaultProps: { color: "var(--brass-bright)" } },
  },
});
