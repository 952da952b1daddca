// The person at this machine: the only one who answers questions.
import { PackAuthError } from "../platform/errors.ts";
import type { PlatformHost } from "../platform/host.ts";
import type { RunWorld } from "../platform/runs/run-world.ts";
import type { ConsentQuestion } from "./consent-question.ts";

/** The person at this machine. Invariant: an agent can neither answer for the person nor read what the person is shown. */
export interface Person {
  /** Asks the person. Throws person-unreachable if no question can be shown. */
  ask(question: ConsentQuestion, signal: AbortSignal): Promise<Consent>;
  /**
   * Calls `work` with prompts in front of the person, which show `notice` first and throughout. Returns undefined if the person refuses.
   * Throws person-unreachable.
   */
  withPrompts<T>(notice: ConsentQuestion, work: (prompts: Prompts) => Promise<T>): Promise<T | undefined>;
}

const unreachable = (): Promise<never> => Promise.reject(new PackAuthError("person-unreachable", "This call asks nothing."));

/** Stands for the person in a call that asks nothing, such as one from a script. */
export const NOBODY: Person = { ask: unreachable, withPrompts: unreachable };

/** A person's answer. After a time-out, an abort, or if the question was closed, it is unanswered. */
export type Consent = "agreed" | "refused" | "unanswered";

/** The parts of the platform's host that reach a person, and what permits requests of an account that no person asked for. */
export type Prompts = Pick<PlatformHost, "prompter" | "openBrowser"> & Pick<RunWorld, "permit">;
