// What the host and the process that builds a pack with the Packs SDK tell each other.

export interface BuildOrder {
  /** The path of the SDK's package.json. */
  readonly toolkit: string;
  readonly entry: string;
  /** The real path of an empty folder for everything that the build writes. */
  readonly folder: string;
  /** The folder that is removed after the build; it contains the other. */
  readonly temporary: string;
  readonly timerStrategy: string;
}

/** Without an error the bundle and its source map are in the folder. */
export interface BuildOutcome {
  readonly error?: string;
  /** Whether the SDK lacks the functions that the program replaces. */
  readonly isUnsupported?: boolean;
  /** The paths of all files that any step of the build read, and of the source maps that they name. */
  readonly inputs?: readonly string[];
}

/** Names of files in the folder. */
export const BUNDLE_NAME = "bundle.js";
export const OUTCOME_NAME = "outcome.json";
