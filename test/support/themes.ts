// The variables of VS Code's default themes that the panel uses, as the editor defines them in its webviews.
import { z } from "zod";
import { readTable, texts } from "./json-cases.ts";

const theme = z.strictObject({
  /** The classes of the body. */
  classes: z.string(),
  variables: texts,
});
export type Theme = z.infer<typeof theme>;

export const { DARK, LIGHT, HIGH_CONTRAST, HIGH_CONTRAST_LIGHT } = readTable(
  "test/support/themes.json",
  z.strictObject({ DARK: theme, LIGHT: theme, HIGH_CONTRAST: theme, HIGH_CONTRAST_LIGHT: theme }),
);
