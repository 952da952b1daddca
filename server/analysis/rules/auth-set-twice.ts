import type { CallFact } from "../model/facts.ts";
import type { AuthConfig, PackModel } from "../model/pack.ts";
import type { Expression, Place } from "../model/values.ts";
import { loopItems } from "../pack/loop-items.ts";
import { callersOf } from "../pack/parameter-binding.ts";
import { pack, rule, source } from "../rule.ts";

export default rule({
  id: "auth-set-twice",
  severity: "warning",
  source: "sdk-facts 2",
  docs: `The same authentication of one pack is set twice.

Keep one call. The later one wins, without an error. Formulas that were added before it keep the default requirement of the first. Calls in branches that exclude each other are not flagged, nor are those in functions that may not be called.`,
  examples: [
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
        pack.«setUserAuthentication»({ type: coda.AuthenticationType.WebBasic });`,
    },
    {
      bad: source`
        import * as coda from "@codahq/packs-sdk";
        export const pack = coda.newPack({ networkDomains: ["acme.example"], defaultAuthentication: { type: coda.AuthenticationType.WebBasic } });
        pack.«setUserAuthentication»({ type: coda.AuthenticationType.HeaderBearerToken });`,
    },
    {
      good: pack`
        if (process.env.STAGING) pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
        else pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });
        pack.setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });`,
    },
  ],
  on: {
    *pack(pack) {
      for (const scope of ["user", "system"] as const) {
        const first = new Map<string, Setting>();
        for (const setting of inOrder(pack, scope)) {
          const { place } = setting;
          // If several packs are built, only the file and the receiver distinguish them.
          const which = pack.partial ? `${place.file}:${setting.receiver}` : "";
          const before = first.get(which);
          if (before === undefined) {
            first.set(which, setting);
            continue;
          }
          const elsewhere = before.place.file === place.file ? "" : ` (also in ${before.place.file.split(/[\\/]/).at(-1) ?? ""})`;
          yield {
            place,
            message: `Keep one of these calls. The ${scope} authentication is set twice${elsewhere}, and the later one wins. Formulas that were added before it keep the default requirement of the first.`,
          };
        }
      }
    },
  },
});

interface Setting {
  readonly place: Place;
  readonly receiver: string;
}

/** Returns the unconditional settings in the order in which they run: the definition in newPack, the imported files, the entry. */
function inOrder(pack: PackModel, scope: AuthConfig["scope"]): readonly Setting[] {
  const setter = scope === "user" ? "setUserAuthentication" : "setSystemAuthentication";
  // A definition is one setting, however many configurations it may have.
  const definition = pack.partial ? undefined : pack.auths.find((auth) => auth.scope === scope && auth.definition !== undefined);
  const calls: Setting[] = [];
  for (const facts of pack.facts)
    for (const call of facts.calls)
      if (call.method === setter && call.arguments.length > 0 && (!call.conditional || call.loop?.conditional === false))
        for (const place of runsOf(pack, call, 0))
          for (const _ of call.loop === undefined ? [call] : loopItems(call.arguments[0] as Expression, pack.resolve, pack.facts))
            calls.push({ place, receiver: call.receiver });
  const rank = ({ place }: Setting): number => (place.file === pack.entry ? 1 : 0);
  return [
    ...(definition === undefined ? [] : [{ place: definition.place, receiver: "" }]),
    ...calls.sort((a, b) => rank(a) - rank(b) || (a.place.file === b.place.file ? a.place.start - b.place.start : 0)),
  ];
}

/** Maximum number of functions that call each other. */
const DEEPEST = 4;

/** Returns the names at which a call certainly runs while the pack loads: its own, or those of the calls of its function. */
function runsOf(pack: PackModel, call: Pick<CallFact, "place" | "nameSpan" | "within">, depth: number): readonly Place[] {
  const { within, place, nameSpan } = call;
  if (within === undefined) return [nameSpan];
  // Of several packs, it is unknown which one a function receives.
  const before = pack.text(place.file).slice(within.start, place.start).trimEnd();
  if (pack.partial || depth > DEEPEST || /\b(?:return|throw)\b./s.test(before)) return [];
  const callers = callersOf(within, pack.facts, pack.resolve).filter(({ site }) => !site.conditional);
  return callers.flatMap(({ site }) => runsOf(pack, site, depth + 1));
}
