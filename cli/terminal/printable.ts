// Makes text from outside printable on a terminal or in a workflow's log: an API's response, a provider's message, a name from a pack. It
// is shown, never obeyed. Only this file creates the type Printed, so the compiler finds every text that bypasses it.
import { printable as printableText } from "../../base/printable.ts";

declare const printed: unique symbol;

/** Text that is safe to write to a terminal. */
export type Printed = string & { readonly [printed]: true };

/**
 * Commands that workflow runners obey: `::name…` at the start of a line and `##[name]` anywhere (GitHub), `##vso[…]` (Azure DevOps), and
 * `##teamcity[…]` (TeamCity).
 */
const WORKFLOW_COMMAND = /^([^\S\r\n\u2028\u2029]*:)(?=:[A-Za-z])|##(?=(?:vso|teamcity)?\[)/gm;

/**
 * Returns JSON with the same parsed value, without anything that is obeyed or invisible. JSON can only contain the commands that may occur
 * anywhere in a line.
 */
export const printableJson = (json: string): string => printableText(json).replace(/##(?=(?:vso|teamcity)?\[)/g, "#\\u0023");

/** Makes text from outside printable. A space breaks up each workflow command. */
export const printable = (text: string): Printed => printableText(text).replace(WORKFLOW_COMMAND, "$& ") as Printed;

/** Tag for Pack Auth's own messages. The compiler accepts only printable text and numbers as values. */
export const formatMessage = (strings: TemplateStringsArray, ...between: readonly (Printed | number)[]): Printed =>
  String.raw({ raw: strings }, ...between) as Printed;

export const joined = (parts: readonly Printed[], separator = ""): Printed => parts.join(separator) as Printed;

/** Changes the layout of a text. `layout` moves the words of a line, and must add none. */
export const laidOut = (text: Printed, layout: (line: string) => string): Printed => text.split("\n").map(layout).join("\n") as Printed;

/** Applies a style of Pack Auth to a text. */
export const styled = (text: string, style: (text: Printed) => string): Printed => style(printable(text)) as Printed;
