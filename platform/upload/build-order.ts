// What the host and the process that builds a pack with the Packs SDK tell each other.

export interface BuildOrder {
  /** The path of the SDK's package.json. */
  readonly toolkit: string;
  readonly entry: string;
  /** The real path of an empty folder for everything that the build writes. */
  readonly folder: string;
  readonly timerStrategy: string;
}

/** Without an error the bundle and its source map are in the folder. */
export interface BuildOutcome {
  readonly error?: string;
  /** Whether the SDK lacks the functions that the program replaces. */
  readonly isUnsupported?: boolean;
}

/** Names of files in the folder. */
export const BUNDLE_NAME = "bundle.js";
export const OUTCOME_NAME = "outcome.json";
