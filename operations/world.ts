// The world in which an operation takes place. All that an operation opens is opened here, and closed when the operation has ended.
import { resolve } from "node:path";
import type { Accounts } from "../platform/accounts/accounts.ts";
import type { BundleOptions } from "../platform/bundle/bundle.ts";
import { makeTemporary } from "../platform/files/make-temporary.ts";
import { removeTemporary } from "../platform/files/remove-temporary.ts";
import type { PlatformHost } from "../platform/host.ts";
import type { RedirectSettings } from "../platform/oauth/receiver.ts";
import type { Pack } from "../platform/process/pack.ts";
import type { PublicApi } from "../platform/public-api/public-api.ts";
import type { PublishedPack } from "../platform/public-api/published-pack.ts";
import type { Sandbox } from "../platform/sandbox/launch.ts";
import type { TeamHost } from "../platform/team/use-team-account.ts";
import type { UploadOptions } from "../platform/upload/upload.ts";
import type { NextStepWords } from "../protocol/next-step.ts";
import { entryAt, entryInside, pathInside } from "./inside.ts";
import type { RunGround } from "./run/run-ground.ts";
import type { SourceReader } from "./source-reader.ts";

export type PackFiles = Pick<BundleOptions, "texts">;

/** The accounts of this machine, and what reaches their providers. */
export interface Store {
  readonly accounts: Accounts;
  readonly platform: PlatformHost;
  /** Whether a proxy resolves host names; see RunWorld. */
  readonly behindProxy: boolean;
  /** Whether the person allows requests to this machine; see RunWorld. */
  readonly allowLoopback: boolean;
  /** What resolves the references of an account file. */
  readonly team: TeamHost;
  /** Where the person's sign-ins return to; undefined for the default. */
  readonly redirect: RedirectSettings | undefined;
  /** The folder of the locks and source maps of uploads, which the editor and the command line share. */
  readonly uploadsFolder: string;
}

export interface PackReader extends SourceReader {
  /** The folder that contains the sources. Paths of findings and of the outline are relative to it. */
  readonly folder: string;
}

/** What a host brings along. Its choices are the person's: which Node runs packs, what is trusted, where accounts are stored. */
export interface Ground {
  /** Relative paths begin here. */
  readonly folder: string;
  /** Reads the sources of a pack, or without one those in the host's folder. */
  sourcesOf(entry?: string): PackReader;
  /** A folder without links that no path of an input may leave; undefined for a person's own paths. */
  readonly boundary: string | undefined;
  /** The folder of evidence and accounts; undefined if the system has no place for it. */
  readonly storageFolder: string | undefined;
  /** What runs with real accounts use: where accounts come from, and who permits their use, is the host's. */
  readonly runs: RunGround;
  /** Opens a pack with its current files. Throws the errors of openPack. */
  openPack(entry: string, files: PackFiles): Promise<Pack>;
  /** The host's words for what to do next. */
  readonly words: NextStepWords;
  /** Starts a sandbox. Throws sandbox-failed. */
  openSandbox(): Promise<Sandbox>;
  /** Returns the sandbox that the person started. Throws sandbox-failed. */
  runningSandbox(): Promise<Sandbox>;
  /** Opens the accounts. `close` ends what only this operation uses. Throws storage-failed. */
  openStore(): Promise<Store & { close(): void }>;
  /** Returns the absolute paths of the saved tests among files, folders and globs. Throws PackAuthError if a path cannot be read. */
  findTests(paths: readonly string[]): Promise<readonly string[]>;
  /**
   * Opens the API of a pack's platform with the token that the person stored. If there is none, it asks for one, and returns undefined if
   * the person cancelled; with `asking` undefined it asks nobody. Throws credentials-missing where nobody may be asked.
   */
  openApi(
    store: Store,
    pack: PublishedPack,
    asking: { readonly title: string; readonly signal: AbortSignal } | undefined,
  ): ReturnType<World["openApi"]>;
  /** Returns what builds a pack with the Packs SDK of the workspace, and validates the result. Throws person-unreachable for an agent. */
  openBuilder(entry: string): Promise<Pick<UploadOptions, "build" | "validate">>;
}

export interface World extends Omit<Ground, "openPack" | "openStore" | "openApi"> {
  /** Aborted when a person or the host stops the operation. */
  readonly signal: AbortSignal;
  /** Returns the absolute path. Throws path-outside. */
  pathOf(path: string): string;
  /** Returns the entry file of the pack at a path: a file, or a folder that contains it. Throws path-outside and pack-not-found. */
  entryOf(path: string): string;
  openPack(entry: string, files?: PackFiles): Promise<Pack>;
  /** Opens the accounts at the first call. Throws storage-failed. */
  openStore(): Promise<Store>;
  /** See Ground. `title` is that of the questions for a token; without it nobody is asked. */
  openApi(pack: PublishedPack, title?: string): Promise<PublicApi | undefined>;
  /** Returns a temporary folder. */
  openFolder(prefix: string): string;
  /** Closes something else when the operation has ended. */
  atEnd(close: () => void): void;
}

/** Does work in a world. Closes what it opened, the last one first, also if it failed. */
export async function inWorld<Result>(ground: Ground, signal: AbortSignal, work: (world: World) => Promise<Result>): Promise<Result> {
  let closers: (() => void)[] | undefined = [];
  const atEnd = (close: () => void): void => {
    // A pack that a stopped operation did not wait for opens after its end.
    if (closers === undefined) close();
    else closers.unshift(close);
  };
  const { folder, boundary } = ground;
  let store: Promise<Store> | undefined;
  const openStore = (): Promise<Store> => {
    store ??= ground.openStore().then(({ close, ...opened }) => {
      atEnd(close);
      return opened;
    });
    return store;
  };
  const pathOf = (path: string): string => (boundary === undefined ? resolve(folder, path) : pathInside(boundary, path));
  try {
    return await work({
      ...ground,
      signal,
      pathOf,
      entryOf: (path) => (boundary === undefined ? entryAt(pathOf(path), path) : entryInside(boundary, path)),
      async openPack(entry, files = {}) {
        const pack = await ground.openPack(entry, files);
        atEnd(() => pack.dispose());
        return pack;
      },
      async openSandbox() {
        const sandbox = await ground.openSandbox();
        atEnd(() => sandbox.stop());
        return sandbox;
      },
      openStore,
      openApi: async (pack, title) => ground.openApi(await openStore(), pack, title === undefined ? undefined : { title, signal }),
      openFolder(prefix) {
        const temporary = makeTemporary(prefix);
        atEnd(() => removeTemporary(temporary));
        return temporary;
      },
      findTests: (paths) => ground.findTests(boundary === undefined ? paths : paths.map(pathOf)),
      atEnd,
    });
  } finally {
    const toClose = closers;
    closers = undefined;
    for (const close of toClose) close();
  }
}
