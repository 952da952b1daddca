// What the platform needs of whoever runs it (the VS Code extension host, the command line, a test). It reaches the platform as
// an argument; the platform itself never opens a browser, asks a person, or chooses where a secret is kept.

/** One secret per key. A store may lose a secret silently (a keyring that cannot decrypt): then `get` gives undefined. */
export interface SecretStore {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** Why it cannot open what it has under the key, and what to do; undefined where it can, or has nothing. Absent where a store cannot tell. */
  sealed?(key: string): Promise<Sealed | undefined>;
  /** Throws storage-failed where it would store nothing: a person learns it before a sign-in. Absent where a store cannot tell. */
  assertStorable?(): Promise<void>;
}

export interface Sealed {
  readonly reason: string;
  readonly hint: string;
}

/** Metadata that is not secret, as JSON. */
export interface StateStore {
  get(key: string): unknown;
  set(key: string, value: unknown): Promise<void>;
}

/** Leads to the question before. */
export type Back = () => void;

/** A person's answers; `undefined` means cancelled, or gone back: then `back` was called. Without `back`, or on a terminal, no way leads back. */
export interface Prompter {
  input(options: {
    readonly title: string;
    readonly back?: Back;
    readonly step?: number;
    readonly totalSteps?: number;
    readonly prompt: string;
    readonly placeholder?: string;
    readonly value?: string;
    /** True: the value is a credential, shown as dots at most. */
    readonly secret?: boolean;
    /** Not secret, and to be copied from beside the field. */
    readonly copy?: { readonly label: string; readonly text: string };
    /** A link offered beside the field. */
    readonly link?: { readonly label: string; readonly url: string };
    readonly validate?: (value: string) => string | undefined;
    readonly signal?: AbortSignal;
  }): Promise<string | undefined>;
  pick<T extends string>(options: {
    readonly title: string;
    readonly back?: Back;
    readonly step?: number;
    readonly totalSteps?: number;
    readonly placeholder: string;
    readonly items: readonly { readonly label: string; readonly description?: string; readonly detail?: string; readonly value: T }[];
    /** What goes on meanwhile; where it is absent, the answer is what is waited for. */
    readonly progress?: string;
    readonly signal?: AbortSignal;
  }): Promise<T | undefined>;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** An address that opens this very editor: its URI handler. */
export interface EditorAddress {
  address(): Promise<string>;
  /** Told of every address that the editor is opened with, whole, until one gives true: it is its own. Gives a stop. */
  onOpened(listener: (uri: string) => boolean): () => void;
}

/** Everything that a sign-in or a run may ask of its surroundings. */
export interface PlatformHost {
  readonly secrets: SecretStore;
  /** Metadata shared by every workspace, and metadata of this one. */
  readonly globalState: StateStore;
  readonly workspaceState: StateStore;
  readonly prompter: Prompter;
  /** Where the person goes back to from the browser. */
  readonly home: "editor" | "terminal";
  /** Opens a URL in the user's browser; false where that was not possible or was declined. */
  openBrowser(url: string): Promise<boolean>;
  /** The address under which the browser reaches a loopback address of this machine, where that is another (remote and web windows). */
  externalAddress?(address: string): Promise<string>;
  readonly editorAddress?: EditorAddress;
  /** The host's own fetch (proxies and system certificates come with it). */
  readonly fetch: Fetch;
  /** Where a name leads that a provider told of; absent where a proxy resolves the names, or a test has none. */
  readonly lookUp?: (host: string) => Promise<readonly string[]>;
  /** The default account label: `packAuth.userName`, else the operating system's user name. */
  userName(): string;
  /** Puts a text that is not secret on the clipboard. */
  copy(text: string): Promise<void>;
  /** Masked text only. */
  log(message: string): void;
  /** What a long step is doing. */
  progress(message: string): void;
  now(): number;
  /** A private folder (0700) for accounts (never their secrets), lock files and code caches. */
  readonly storageFolder: string;
  /** Names the workspace that is open: accounts that are not shared belong to the one in which they were made. */
  readonly workspace?: string;
}
