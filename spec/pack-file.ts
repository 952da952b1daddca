// The file that the Packs SDK's commands keep beside a pack (sdk-facts-2, section 11).

export const PACK_FILE = ".coda-pack.json";

/** The origin of the platform for the Packs SDK's commands, unless the file names another. */
export const DEFAULT_ORIGIN = "https://coda.io";

/** A person may have edited the file, so the types are unknown. */
export interface PackFile {
  readonly packId?: unknown;
  /** The pack's ID at each other host. */
  readonly environmentPackIds?: unknown;
  readonly options?: { readonly apiEndpoint?: unknown; readonly timerStrategy?: unknown };
  /** True if the file's text is no JSON object. An ID may be in it, so nobody should create another pack. */
  readonly isBroken?: boolean;
}

/** Returns the content of the file. It is empty if there is no file. */
export function parsePackFile(text: string | undefined): PackFile {
  try {
    const file = JSON.parse(text ?? "{}") as { readonly options?: unknown } | null;
    return typeof file !== "object" || file === null || Array.isArray(file)
      ? { isBroken: true }
      : { ...file, isBroken: false, options: typeof file.options === "object" ? (file.options ?? {}) : {} };
  } catch {
    return { isBroken: true };
  }
}

/** Returns the pack's ID at the host of an endpoint other than the default. */
export const idAt = ({ environmentPackIds: ids }: PackFile, host: string): number | undefined =>
  typeof ids === "object" && ids !== null && Object.hasOwn(ids, host)
    ? packIdOf((ids as Readonly<Record<string, unknown>>)[host])
    : undefined;

/** Returns undefined unless the value is an ID. It can be -1 in a folder whose pack is not registered. */
export const packIdOf = (id: unknown): number | undefined =>
  typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? id : undefined;
