import { createTheme, type MantineColorsTuple } from "@mantine/core";

/** The attributes of a field that holds an address or an expression. */
export const leftToRight = { input: { dir: "ltr" } } as const;

/** The indigo of the site, from light to dark. */
const indigo: MantineColorsTuple = [
  "#f0f0ff",
  "#dddcfa",
  "#b9b7ef",
  "#938fe4",
  "#736edb",
  "#5f59d5",
  "#5049cc",
  "#3f3ab8",
  "#37329f",
  "#2c2886",
];

export const theme = createTheme({
  colors: { indigo },
  primaryColor: "indigo",
  primaryShade: { light: 7, dark: 5 },
  defaultRadius: "md",
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif',
  autoContrast: true,
  respectReducedMotion: true,
  cursorType: "pointer",
  // People write in any script. Fields for addresses and codes say otherwise.
  components: {
    TextInput: { defaultProps: { attributes: { input: { dir: "auto" } } } },
    Textarea: { defaultProps: { attributes: { input: { dir: "auto" } } } },
  },
});
