// The world in which an operation takes place. All that an operation opens is opened here, and closed when the operation has ended.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { BundleOptions } from "../platform/bundle/bundle.ts";
import { ENTRY_NAMES, entryFile } from "../platform/bundle/entry-file.ts";
import { PackAuthError } from "../platform/errors.ts";
import { makeTemporary } from "../platform/files/make-temporary.ts";
import { removeTemporary } from "../platform/files/remove-temporary.ts";
import type { Pack } from "../platform/process/pack.ts";
import type { Sandbox } from "../platform/sandbox/launch.ts";
import { pathInside } from "./inside.ts";

export type PackFiles = Pick<BundleOptions, "texts">;

/** What a host brings along. Its choices are the person's: which Node runs packs, what is trusted, where accounts are stored. */
export interface Ground {
  /** Relative paths begin here. */
  readonly folder: string;
  /** A folder without links that no path of an input may leave; undefined for a person's own paths. */
  readonly boundary: string | undefined;
  /** The folder of evidence and accounts; undefined if the system has no place for it. */
  readonly storageFolder: string | undefined;
  /** Opens a pack with its current files. Throws the errors of openPack. */
  openPack(entry: string, files: PackFiles): Promise<Pack>;
  /** Starts a sandbox. Throws sandbox-failed. */
  openSandbox(): Promise<Sandbox>;
  /** Returns the absolute paths of the saved tests among files, folders and globs. Throws PackAuthError if a path cannot be read. */
  findTests(paths: readonly string[]): Promise<readonly string[]>;
}

export interface World extends Pick<Ground, "folder" | "boundary" | "storageFolder" | "openSandbox" | "findTests"> {
  /** Aborted when a person or the host stops the operation. */
  readonly signal: AbortSignal;
  /** Returns the absolute path. Throws path-outside. */
  pathOf(path: string): string;
  /** Returns the entry file of the pack at a path: a file, or a folder that contains it. Throws path-outside and pack-not-found. */
  entryOf(path: string): string;
  openPack(entry: string, files?: PackFiles): Promise<Pack>;
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
  const pathOf = (path: string): string => (boundary === undefined ? resolve(folder, path) : pathInside(boundary, path));
  try {
    return await work({
      folder,
      boundary,
      storageFolder: ground.storageFolder,
      signal,
      pathOf,
      entryOf(path) {
        const entry = entryAt(pathOf(path), path);
        // The folder's pack.ts may be a link.
        return boundary === undefined ? entry : pathInside(boundary, entry);
      },
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
      openFolder(prefix) {
        const temporary = makeTemporary(prefix);
        atEnd(() => removeTemporary(temporary));
        return temporary;
      },
      findTests: (paths) => ground.findTests(paths),
      atEnd,
    });
  } finally {
    const toClose = closers;
    closers = undefined;
    for (const close of toClose) close();
  }
}

/** `path` is the place as the caller wrote it. Throws pack-not-found. */
function entryAt(place: string, path: string): string {
  if (!existsSync(place))
    throw new PackAuthError("pack-not-found", `There is no ${path}.`, { hint: "Name the file that builds the pack, or its folder." });
  const entry = entryFile(place);
  if (entry === undefined)
    throw new PackAuthError("pack-not-found", `The folder ${place} has none of ${ENTRY_NAMES.join(", ")}.`, {
      hint: "Name the file that builds the pack.",
    });
  return entry;
}
