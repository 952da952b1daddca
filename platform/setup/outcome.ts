// The result of reading evidence: a proposal, a question, or the reason why the platform cannot do it. Each reader is a function of the
// evidence and the answers so far, so that an editor, a command line and an agent can each ask in its own way.
import type { Origin, Proposal } from "../../protocol/setup.ts";
import type { Credential } from "../secrets/credential.ts";
import type { Impossibility } from "./impossible.ts";

export type SetupOutcome =
  | {
      readonly kind: "proposal";
      readonly proposal: Proposal;
      /** The credential that was pasted, offered as the account in the next step. A secret: it stays in the host's memory. */
      readonly credential?: Credential;
    }
  | { readonly kind: "question"; readonly question: Question }
  | { readonly kind: "impossible"; readonly reason: Impossibility; readonly origin: Origin };

/** What the evidence leaves open. The ID is stable: the same evidence and answers lead to the same question. */
export type Question = ChoiceQuestion | TextQuestion | LookUpQuestion;

export interface ChoiceQuestion {
  readonly kind: "choice";
  readonly id: string;
  readonly text: string;
  readonly options: readonly { readonly value: string; readonly label: string; readonly detail?: string }[];
}

export interface TextQuestion {
  readonly kind: "text";
  readonly id: string;
  readonly text: string;
  readonly example: string;
  /** The answer where nobody is asked: it writes nothing that may be secret. */
  readonly fallback?: string;
  /** Returns why the answer is not accepted, or undefined. */
  readonly problem: (answer: string) => string | undefined;
}

/** Asks to send a request without any credential. Only a person may answer it; the answer is `yes` or `no`. */
export interface LookUpQuestion {
  readonly kind: "look-up";
  readonly id: string;
  readonly text: string;
  readonly host: string;
}

/** Returns the ID of the question whether a host may be asked. No other question has such an ID. */
export const lookUpId = (host: string): string => `look-up ${host}`;

export const isLookUpId = (id: string): boolean => id.startsWith(lookUpId(""));

/** Answers by the ID of their question. */
export type Answers = Readonly<Record<string, string>>;
