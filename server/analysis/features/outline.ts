// The places of a pack's parts: setters, formulas and sync tables for lenses, and a configuration's field for links.
import { defined } from "../../../base/defined.ts";
import type { PackOutline } from "../../../protocol/editor.ts";
import { propertyOf, textIn } from "../configuration/config.ts";
import { nameOfRunnable } from "../configuration/runnable.ts";
import type { PackModel } from "../model/pack.ts";
import type { FileSpan } from "../model/values.ts";
import { fileSpan } from "../text/place.ts";

interface Outline {
  readonly entry: string;
  readonly authentications: readonly (Pick<PackOutline["authentications"][number], "scope" | "type" | "tokenUrl"> & {
    readonly place: FileSpan;
  })[];
  readonly runnables: readonly { readonly kind: "formula" | "syncTable"; readonly name: string; readonly place: FileSpan }[];
  readonly mcpServers: readonly { readonly name: string; readonly place: FileSpan }[];
  readonly packCalls: readonly FileSpan[];
  readonly hasNoAuthentication: boolean;
}

export function outlineOf(pack: PackModel): Outline {
  return {
    entry: pack.entry,
    authentications: pack.auths.map(({ scope, place, type, config }) => ({
      scope,
      place: fileSpan(place),
      ...defined({ type, tokenUrl: textIn(pack, config, "tokenUrl") }),
    })),
    runnables: pack.runnables.flatMap((runnable) => {
      const name = nameOfRunnable(pack, runnable);
      return name === undefined ? [] : { kind: runnable.kind, name, place: fileSpan(runnable.place) };
    }),
    mcpServers: pack.mcpServers.flatMap((server) => {
      const name = nameOfRunnable(pack, server);
      return name === undefined ? [] : { name, place: fileSpan(server.place) };
    }),
    packCalls: pack.facts.flatMap(({ calls }) => calls.flatMap(({ method, place }) => (method === "newPack" ? fileSpan(place) : []))),
    hasNoAuthentication: hasNoAuthentication(pack),
  };
}

const hasNoAuthentication = ({ auths, adminAuthentications, authsComplete, complete, partial }: PackModel): boolean =>
  auths.length === 0 && adminAuthentications.length === 0 && authsComplete && complete.users && !partial;

/**
 * Returns the place of a path such as `userAuthentication.tokenUrl` in the pack of the entry, or of the setter if the field is absent.
 * `packs` are those of the entry's file.
 */
export function locate(packs: readonly PackModel[], entry: string, configPath: string): FileSpan | undefined {
  const [root, field] = configPath.split(".");
  const scope = root === "systemAuthentication" ? "system" : "user";
  const auth = packs.find((pack) => pack.entry === entry)?.auths.find((candidate) => candidate.scope === scope);
  if (auth === undefined) return undefined;
  const property = field === undefined ? undefined : propertyOf(auth.config, field);
  return fileSpan(property?.nameSpan ?? auth.place);
}
