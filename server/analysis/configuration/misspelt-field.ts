// A misspelt field of a formula or table, which the platform ignores.
import { areNear } from "../../../base/closest.ts";
import type { Finding } from "../model/findings.ts";
import type { ObjectValue } from "../model/values.ts";
import { replace } from "../text/edit.ts";
import { nameOf, respell } from "./config.ts";

export function* misspeltField(definition: ObjectValue, field: string): Iterable<Finding> {
  const { properties } = definition;
  const property = properties.find(
    // A property that is still being typed has no value yet.
    ({ name, nameSpan, value }) => value.place.start !== nameSpan.start && areNear(name.toLowerCase(), field.toLowerCase(), 3),
  );
  if (property === undefined || properties.some(({ name }) => name === field)) return;
  yield {
    place: nameOf(property),
    severity: "warning",
    message: `Write ${field}. The platform ignores ${property.name}, as if it were not there.`,
    fixes: () => [respell(`Change to ${field}`, replace(nameOf(property), field))],
  };
}
