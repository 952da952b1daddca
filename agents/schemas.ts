// The schemas that several tools share.
import { z } from "zod";
import { outsideText } from "./outside.ts";

export const packPath = z
  .string()
  .default(".")
  .describe("The file that builds the pack, or its folder. Relative to the server's folder; by default that folder.");

const position = z.strictObject({
  line: z.int().describe("Zero-based."),
  character: z.int().describe("Zero-based, in UTF-16 code units."),
});

export const range = z.strictObject({ start: position, end: position });

export const edit = z.strictObject({
  path: z.string(),
  range,
  oldText: z.string().describe("The text in the range before the edit."),
  newText: z.string(),
});

export const location = z.strictObject({ path: z.string(), line: z.int(), character: z.int() }).describe("Zero-based.");

/** An action that resolves a failure. */
export const remedy = z.strictObject({ label: z.string(), edits: z.array(edit).describe("Apply them to the files, if there are any.") });

export const failure = z
  .strictObject({
    code: z.string(),
    message: outsideText.describe("What happened. It may quote the API."),
    hint: outsideText.optional().describe("What to do next."),
    field: z.string().optional().describe("The field of the configuration to change."),
    diagnosis: z.string().optional().describe("Pass it to explain for the whole explanation."),
    stack: z.array(location).describe("The places in the pack's sources, the innermost first."),
    remedies: z.array(remedy),
  })
  .describe("Why it failed.");

export type Failure = z.infer<typeof failure>;
