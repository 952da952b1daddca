// Decides whether a report has colours: on a terminal, unless the environment disagrees (no-color.org, force-color.org).
import { styleText } from "node:util";
import { type Printed, styled } from "./printable.ts";

export type Paint = (style: Parameters<typeof styleText>[0], text: string) => Printed;

/** FORCE_COLOR wins over NO_COLOR, as in Node; an empty variable counts as unset. */
export function hasColours(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  return !env.NO_COLOR && stream.isTTY === true && env.TERM !== "dumb";
}

export function painter(colours: boolean): Paint {
  return (style, text) =>
    styled(text, (printableText) => (colours && text !== "" ? styleText(style, printableText, { validateStream: false }) : printableText));
}
