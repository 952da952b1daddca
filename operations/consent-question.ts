// A question that only the person can answer. All of it is plain text for display: never markup, a link or a command.

export interface ConsentQuestion {
  /** A question in one sentence, such as “Send GET to api.example.com with the account Ada?”. */
  readonly title: string;
  /** Facts as pairs of a label and a text, in the order in which they matter. Masked; a text may have several lines. */
  readonly facts: readonly { readonly label: string; readonly text: string }[];
  /** What the person should know before answering, in sentences. */
  readonly warnings: readonly string[];
  /** The button that agrees, such as “Send”. */
  readonly agree: string;
  /** What the person types to agree where a number or Enter would be typed too easily, such as the pack ID 123. */
  readonly typed?: { readonly name: string; readonly text: string };
}

/** The warning of every question. */
export const AGENT_WARNING = "An agent asked for this, not you.";
