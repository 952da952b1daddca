// The open packs of a window. Each is opened once for concurrent callers, opened again after its sources changed, and closed when unused
// for a while.
// Invariant: no pack is closed while something executes in it, and none stays behind.
import type { Pack } from "../../platform/process/pack.ts";
import type { PackDefinition } from "../../protocol/definition.ts";

interface PackPoolOptions {
  open(entry: string): Promise<Pack>;
  /** Returns whether a file of the pack changed after the time (milliseconds since the epoch). */
  isStale(pack: Pack, since: number): Promise<boolean>;
  /** Milliseconds without use after which a pack is closed. */
  readonly unusedAfter: number;
  now(): number;
}

interface PackPool {
  /** Returns the pack for the current files. Throws the errors of `open`. */
  get(entry: string): Promise<Pack>;
  /** Returns the open pack, and never opens one. */
  peek(entry: string): Pack | undefined;
  /** Returns the last definition of the running pack, even after it was closed. */
  definition(entry: string): PackDefinition | undefined;
  onDidOpen(listener: (entry: string) => void): () => void;
  /** Closes all packs; the next use opens them again. */
  clear(): void;
  dispose(): void;
}

/** An open pack. It counts its executions, so that a replaced pack ends after the last of them. */
class PooledPack {
  readonly pack: Pack;
  readonly since: number;
  readonly #inner: Pack;
  readonly #startTimer: () => NodeJS.Timeout;
  #timer: NodeJS.Timeout | undefined;
  #executing = 0;
  #isRetired = false;

  /** `startTimer` starts the time without use. */
  constructor(inner: Pack, since: number, startTimer: () => NodeJS.Timeout) {
    this.#inner = inner;
    this.since = since;
    this.#startTimer = startTimer;
    this.pack = {
      ...inner,
      execute: (...call) => {
        this.#executing++;
        clearTimeout(this.#timer);
        return inner.execute(...call).finally(() => {
          this.#executing--;
          this.touch();
        });
      },
      dispose: () => this.retire(),
    };
    this.touch();
  }

  /** Restarts the time without use. */
  touch(): void {
    clearTimeout(this.#timer);
    if (this.#executing > 0) return;
    if (this.#isRetired) this.#inner.dispose();
    else this.#timer = this.#startTimer();
  }

  /** Closes the pack after its last execution. */
  retire(): void {
    this.#isRetired = true;
    this.touch();
  }

  /** Closes the pack immediately. */
  end(): void {
    this.#isRetired = true;
    clearTimeout(this.#timer);
    this.#inner.dispose();
  }
}

export function createPackPool(options: PackPoolOptions): PackPool {
  const pooledPacks = new Map<string, PooledPack>();
  const definitions = new Map<string, PackDefinition>();
  const pendingPacks = new Map<string, Promise<Pack>>();
  const listeners = new Set<(entry: string) => void>();
  let isDisposed = false;

  const close = (entry: string): void => {
    const pooledPack = pooledPacks.get(entry);
    pooledPacks.delete(entry);
    pooledPack?.retire();
  };

  async function find(entry: string): Promise<Pack> {
    const pooledPack = pooledPacks.get(entry);
    if (pooledPack !== undefined && !(await options.isStale(pooledPack.pack, pooledPack.since))) {
      pooledPack.touch();
      return pooledPack.pack;
    }
    const since = options.now();
    // The new pack reuses what the old one has prepared. If the pack cannot be built, for example while its author types, the old one
    // stays.
    const inner = await (pooledPack === undefined ? options.open(entry) : pooledPack.pack.renew());
    close(entry);
    const fresh = new PooledPack(inner, since, () => setTimeout(close, options.unusedAfter, entry));
    if (isDisposed) {
      fresh.end();
      return fresh.pack;
    }
    pooledPacks.set(entry, fresh);
    definitions.set(entry, inner.definition);
    for (const listener of listeners) listener(entry);
    return fresh.pack;
  }

  return {
    get(entry) {
      const before = pendingPacks.get(entry) ?? Promise.resolve();
      const next = before.then(
        () => find(entry),
        () => find(entry),
      );
      pendingPacks.set(entry, next);
      const forget = (): void => {
        if (pendingPacks.get(entry) === next) pendingPacks.delete(entry);
      };
      next.then(forget, forget);
      return next;
    },
    peek: (entry) => pooledPacks.get(entry)?.pack,
    definition: (entry) => definitions.get(entry),
    onDidOpen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    clear() {
      for (const entry of [...pooledPacks.keys()]) close(entry);
    },
    dispose() {
      isDisposed = true;
      for (const pooledPack of pooledPacks.values()) pooledPack.end();
      pooledPacks.clear();
    },
  };
}
