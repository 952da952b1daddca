// The headers that a request sets: in its literal, and by what is written to it before it is sent, perhaps by a condition.
import { propertyOf } from "../configuration/config.ts";
import type { PackModel } from "../model/pack.ts";
import type { ObjectValue, Property } from "../model/values.ts";
import type { PackRequest } from "./requests.ts";

export interface SetHeader {
  readonly header: Property;
  /** The object that holds it, as far as that is read. */
  readonly headers: ObjectValue;
}

/** Each that it sets, or may set. */
export function headersOf({ resolve, options: optionsOf }: PackModel, { options }: PackRequest): readonly SetHeader[] {
  const property = options && propertyOf(options, "headers");
  if (property === undefined) return [];
  const found: SetHeader[] = [];
  for (const option of optionsOf(property.value)) {
    const headers = resolve(option);
    if (headers.kind !== "object") continue;
    for (const header of headers.properties) found.push({ header, headers });
    // What may be there stands in no place of its own where nothing is known of it.
    for (const source of headers.sources ?? [])
      for (const header of source.properties)
        if (header.span.end > header.span.start && !found.some(({ header: other }) => isSame(header, other)))
          found.push({ header, headers });
  }
  return found;
}

const isSame = (one: Property, other: Property): boolean =>
  one.nameSpan.file === other.nameSpan.file && one.nameSpan.start === other.nameSpan.start;
