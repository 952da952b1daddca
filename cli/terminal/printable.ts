// Texts of others (an API's answer, a provider's words, a name that a pack made) on a terminal or in a workflow's log: shown, never
// obeyed. What is written there is of the type Printed, which only this file makes: the compiler finds whatever goes past it.
import { printable as printableText } from "../../base/printable.ts";

declare const printed: unique symbol;

/** A text that may be written to a terminal. */
export type Printed = string & { readonly [printed]: true };

/**
 * What the runner of a workflow obeys: of GitHub `::name…` at the beginning of a line and `##[name]` anywhere, of Azure DevOps `##vso[…]`, of
 * TeamCity `##teamcity[…]`.
 */
const WORKFLOW_COMMAND = /^([^\S\r\n\u2028\u2029]*:)(?=:[A-Za-z])|##(?=(?:vso|teamcity)?\[)/gm;

/**
 * JSON with the same value to whoever parses it, and nothing in it that is obeyed or not seen. Of the commands only those are possible there that
 * may stand anywhere.
 */
export const printableJson = (json: string): string => printableText(json).replace(/##(?=(?:vso|teamcity)?\[)/g, "#\\u0023");

/** Words of others, as words. A blank keeps a command from being one. */
export const printable = (text: string): Printed => printableText(text).replace(WORKFLOW_COMMAND, "$& ") as Printed;

/** Our own words; what stands in them was made printable before. */
export const formatMessage = (strings: TemplateStringsArray, ...between: readonly (Printed | number)[]): Printed =>
  String.raw({ raw: strings }, ...between) as Printed;

export const joined = (parts: readonly Printed[], separator = ""): Printed => parts.join(separator) as Printed;

/** With its lines laid out anew: `layout` moves the words of a line, and adds none. */
export const laidOut = (text: Printed, layout: (line: string) => string): Printed => text.split("\n").map(layout).join("\n") as Printed;

/** With a style around it, which is ours. */
export const styled = (text: string, style: (text: Printed) => string): Printed => style(printable(text)) as Printed;
