// What a host hears of an operation while it is under way.

export interface Observer<Part> {
  /** Reports a step that takes a while, in a few words without a full stop. A host decides whether to show it. */
  step(message: string): void;
  /** Reports what the operation decided by itself, in a sentence. */
  note(message: string): void;
  /** Reports a part of the output that is complete. An operation that asks about it afterwards waits until it is shown. */
  part(part: Part): void | Promise<void>;
}
