// A pack with one mistake in it, and what is to be said about it and where.
import type { Span } from "../../server/analysis/model/values.ts";
import type { BasePack } from "./corpus.ts";

export interface Mutant {
  readonly base: BasePack;
  /** What was done: the same words for the same kind of mistake. */
  readonly mistake: string;
  readonly edit: Span & { readonly text: string };
  /** The rules of which one has to speak. */
  readonly rules: readonly string[];
  /** Where, in the changed text: the finding has to touch one of them. Undefined where it belongs into another file of the pack. */
  readonly where: readonly Span[] | undefined;
}

export const mutatedText = ({ base, edit }: Mutant): string => base.text.slice(0, edit.start) + edit.text + base.text.slice(edit.end);
