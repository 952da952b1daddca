// What the platform needs from its caller: the VS Code extension host, the command line or a test. The caller passes the host as an
// argument. The platform itself never opens a browser, prompts a person, or chooses where a secret is stored.
import type { NextStepWords } from "../protocol/next-step.ts";
import type { Advice } from "./errors.ts";

/**
 * Stores one secret per key. A store may lose a secret silently, for example a keyring that cannot decrypt; `get` then returns undefined.
 */
export interface SecretStore {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Returns why the store cannot decrypt the value under the key, and what to do.
   * Returns undefined if the store can decrypt the value or has none. Absent if the store cannot tell.
   */
  sealed?(key: string): Promise<Sealed | undefined>;
  /**
   * Throws storage-failed if the store could not store anything, so that a person learns it before the sign-in. Absent if the store cannot
   * tell.
   */
  assertStorable?(): Promise<void>;
}

export interface Sealed extends Advice {
  readonly reason: string;
}

/** Metadata that is not secret, as JSON. */
export interface StateStore {
  get(key: string): unknown;
  set(key: string, value: unknown): Promise<void>;
}

/** Returns to the previous prompt. */
export type Back = () => void;

interface Prompt {
  readonly title: string;
  readonly back?: Back;
  readonly step?: number;
  readonly totalSteps?: number;
  readonly signal?: AbortSignal;
}

/**
 * Prompts a person. Returns undefined if the person cancelled, or went back; `back` was called then. Without `back`, or on a terminal, the
 * person cannot go back.
 */
export interface Prompter {
  input(
    options: Prompt & {
      readonly prompt: string;
      readonly placeholder?: string;
      readonly value?: string;
      /** True if the value is a credential, which is shown as dots at most. */
      readonly secret?: boolean;
      /** A text that is not secret, with a button beside the field that copies it. */
      readonly copy?: { readonly label: string; readonly text: string };
      /** A link that is shown beside the field. */
      readonly link?: { readonly label: string; readonly url: string };
      readonly validate?: (value: string) => string | undefined;
    },
  ): Promise<string | undefined>;
  pick<T extends string>(
    options: Prompt & {
      readonly placeholder: string;
      readonly items: readonly { readonly label: string; readonly description?: string; readonly detail?: string; readonly value: T }[];
      /** The step in progress while the person chooses; if absent, the platform only waits for the answer. */
      readonly progress?: string;
    },
  ): Promise<T | undefined>;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** An address that opens the running editor: its URI handler. */
export interface EditorAddress {
  address(): Promise<string>;
  /**
   * Calls the listeners with every whole address that opens the editor, until a listener returns true because the address is its own.
   * Returns a function that removes the listener.
   */
  onOpened(listener: (uri: string) => boolean): () => void;
}

/** Everything that a sign-in or a run needs from its surroundings. */
export interface PlatformHost {
  readonly secrets: SecretStore;
  /** Metadata that every workspace shares, and metadata of the open workspace. */
  readonly globalState: StateStore;
  readonly workspaceState: StateStore;
  readonly prompter: Prompter;
  /** The program that the person returns to from the browser. */
  readonly home: "editor" | "terminal";
  /** Opens a URL in the user's browser. Returns false if that was not possible or the user declined. */
  openBrowser(url: string): Promise<boolean>;
  /** Returns the address under which the browser reaches a loopback address of this machine. They differ in remote and web windows. */
  externalAddress?(address: string): Promise<string>;
  readonly editorAddress?: EditorAddress;
  /** The host's own fetch, which uses its proxies and system certificates. */
  readonly fetch: Fetch;
  /** Resolves a host name that a provider named. Absent if a proxy resolves the names, or in a test. */
  readonly lookUp?: (host: string) => Promise<readonly string[]>;
  /** The default account label: `packAuth.userName`, else the operating system's user name. */
  userName(): string;
  /** Returns the host's words for what to do next, where a message is shown at once. */
  readonly words: NextStepWords;
  /** Copies a text that is not secret to the clipboard. */
  copy(text: string): Promise<void>;
  /** Writes to the log. The message must be masked. */
  log(message: string): void;
  /** Shows the progress of a long step. */
  progress(message: string): void;
  now(): number;
  /** A private folder (0700) for accounts (never their secrets), lock files and code caches. */
  readonly storageFolder: string;
  /** The name of the open workspace. An account that is not shared belongs to the workspace that created it. */
  readonly workspace?: string;
}
