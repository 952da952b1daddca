// One vm context for one pack: makes it, closes what a bare context leaves open, and runs code in it.
import { createContext, Script } from "node:vm";
import type { ThrownError } from "../../protocol/pack-process.ts";
import { REALM_SOURCE } from "./realm-source.ts";

export interface Realm {
  /** Runs the toolkit's bundle, which every pack shares; gives what it threw, if it threw. */
  prepare(code: string, filename: string): ThrownError | undefined;
  /** Runs the pack's bundle and adopts its exports; gives what it threw, if it threw. The definition comes as a message. */
  load(code: string, filename: string): ThrownError | undefined;
  /** Hands a message of the host to the realm. */
  receive(json: string, attachment: string | undefined): void;
  /** Runs a script in the realm and gives its completion value as text; for the self-test. */
  probe(source: string): Promise<string>;
}

interface RealmHost {
  send(json: string, attachment?: string): void;
  /** `count` random bytes as hex. */
  random(count: number): string;
}

/** What the realm's own code gives back; every member takes and gives primitives, or an error of the realm. */
interface RealmControls {
  adoptToolkit(): void;
  adopt(): void;
  receive(json: string, attachment: string | undefined): void;
  describeThrown(error: unknown): string;
  importRefused(): unknown;
}

/** Compiled once: what one realm made V8 compile of it, the next one has ready. It holds no import(). */
let realmCode: Script | undefined;

export function createRealm(host: RealmHost): Realm {
  const context = createContext(Object.create(null), {
    codeGeneration: { strings: false, wasm: true },
    microtaskMode: undefined,
  } as Parameters<typeof createContext>[1]);
  let controls: RealmControls | undefined;

  // Without this callback a literal import() rejects with an error of the outer realm, which is a way out.
  const importModuleDynamically = (): never => {
    throw controls?.importRefused();
  };
  const script = (source: string, filename: string): Script =>
    new Script(source, { filename, importModuleDynamically: importModuleDynamically as never });

  // What the platform's runtime lacks (sdk-facts 4) and a bare context has. What streams into WebAssembly is read by a function of the
  // outer realm, whose errors and arguments would be a way to it.
  script(
    "globalThis.eval = undefined; delete WebAssembly.compileStreaming; delete WebAssembly.instantiateStreaming;",
    "pack-auth:prepare",
  ).runInContext(context);
  realmCode ??= new Script(REALM_SOURCE, { filename: "pack-auth:realm" });
  const factory = realmCode.runInContext(context) as (send: RealmHost["send"], random: RealmHost["random"]) => RealmControls;
  controls = factory(host.send, host.random);
  const realm = controls;

  /** What the code or the adopter threw, told by the realm itself. */
  const attempt = (work: () => void): ThrownError | undefined => {
    try {
      work();
    } catch (error) {
      return JSON.parse(realm.describeThrown(error)) as ThrownError;
    }
    return undefined;
  };

  return {
    prepare: (code, filename) =>
      attempt(() => {
        script(code, filename).runInContext(context);
        realm.adoptToolkit();
      }),
    load(code, filename) {
      const failure = attempt(() => void script(code, filename).runInContext(context));
      if (failure === undefined) realm.adopt();
      return failure;
    },
    receive: (json, attachment) => realm.receive(json, attachment),
    async probe(source) {
      try {
        return String(await script(source, "pack-auth:probe").runInContext(context));
      } catch (error) {
        return `threw ${(JSON.parse(realm.describeThrown(error)) as ThrownError).name}`;
      }
    },
  };
}
