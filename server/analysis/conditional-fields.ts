// Fields whose value a condition chooses: what is said of a configuration is asked once for each of the values, as if it were the only one.
// All that the condition may choose elsewhere stays unknown, so that nothing is said of values that never stand together.
import { propertyOf } from "./config.ts";
import { isWithin } from "./edit.ts";
import type { AuthConfig, PackModel, Place, Value } from "./model.ts";
import { makeAuth } from "./pack.ts";

/** Each is a look at the whole pack. */
const MOST = 8;

/** The pack with one of the values, and where that stands: only what is found there is said of it. */
export function packsByCondition(pack: PackModel): readonly { readonly pack: PackModel; readonly place: Place }[] {
  const found: { pack: PackModel; place: Place }[] = [];
  for (const auth of pack.auths)
    for (const property of auth.config.properties) {
      if (propertyOf(auth.config, property.name) !== property) continue;
      const options = pack.options(property.value);
      // What comes from outside of the source, or what is there without it, is nobody's mistake.
      const isKnown = options.every((option) => pack.resolve(option).kind !== "unknown");
      if (options.length < 2 || !isKnown || found.length + options.length > MOST) continue;
      for (const option of options) {
        // Behind a name, what is said of it stands where the name does.
        const { file, start, end } = property.value;
        const value: Value = isWithin(option, property.value) ? option : { kind: "unknown", file, start, end, standsFor: option };
        const properties = auth.config.properties.map((other) => (other === property ? { ...property, value } : other));
        const config = { ...auth.config, properties };
        const own = makeAuth(auth.scope, auth.place, config, pack.resolve, auth.call);
        const made: AuthConfig = auth.definition === undefined ? own : { ...own, definition: auth.definition };
        found.push({ pack: { ...pack, auths: pack.auths.map((other) => (other === auth ? made : other)) }, place: value });
      }
    }
  return found;
}
