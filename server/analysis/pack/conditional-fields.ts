// Fields whose value a condition chooses: what is said of a configuration is asked once for each of the values, as if it were the only one.
// All that the condition may choose elsewhere stays unknown, so that nothing is said of values that never stand together.
import { propertyOf } from "../configuration/config.ts";
import type { AuthConfig, PackModel } from "../model/pack.ts";
import type { ObjectValue, Place, Value } from "../model/values.ts";
import { isWithin } from "../text/edit.ts";
import { makeAuth } from "./pack.ts";

/** Each is a look at the whole pack. */
const MOST = 8;

/** The pack with one of the values, and where that stands: only what is found there is said of it. */
interface ByCondition {
  readonly pack: PackModel;
  readonly places: readonly Place[];
}

export function packsByCondition(pack: PackModel): readonly ByCondition[] {
  const found: ByCondition[] = [];
  const add = (auth: AuthConfig, config: ObjectValue, places: readonly Place[]): void => {
    const own = makeAuth(auth.scope, auth.place, config, pack.resolve, auth.call);
    const made: AuthConfig = auth.definition === undefined ? own : { ...own, definition: auth.definition };
    found.push({ pack: { ...pack, auths: pack.auths.map((other) => (other === auth ? made : other)) }, places });
  };
  for (const auth of pack.auths) {
    const { alternatives = [], sources = [] } = auth.config;
    const places = [auth.place, auth.config.place, ...sources.map(({ place }) => place)];
    if (found.length + alternatives.length <= MOST) for (const config of alternatives) add(auth, config, places);
    for (const property of auth.config.properties) {
      if (propertyOf(auth.config, property.name) !== property) continue;
      const options = pack.options(property.value);
      // What comes from outside of the source, or what is there without it, is nobody's mistake.
      const isKnown = options.every((option) => pack.resolve(option).kind !== "unknown");
      if (options.length < 2 || !isKnown || found.length + options.length > MOST) continue;
      for (const option of options) {
        // Behind a name, what is said of it stands where the name does.
        const { place } = property.value;
        const value: Value = isWithin(option.place, place) ? option : { kind: "unknown", place, standsFor: option };
        const properties = auth.config.properties.map((other) => (other === property ? { ...property, value } : other));
        add(auth, { ...auth.config, properties }, [value.place]);
      }
    }
  }
  return found;
}
