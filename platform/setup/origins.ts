// Where each part of a proposal comes from, for the author: the source itself has no word of it.
import type { Proposal } from "../../protocol/setup.ts";

/** Returns a line for each origin, with the parts that come from it: `type, headerName: the header X-Api-Key of the cURL command`. */
export function originLines({ type, typeOrigin, fields, domains, userRequest, formula, mcpServer }: Proposal): readonly string[] {
  const parts: readonly (readonly [string, string])[] = [
    ...domains.map(({ domain, origin }) => [domain, origin] as const),
    [type, typeOrigin],
    ...fields.map(({ name, origin }) => [name, origin] as const),
    ...(userRequest === undefined ? [] : [["getConnectionName", userRequest.origin] as const]),
    ...(formula === undefined ? [] : [[formula.name, formula.request.origin] as const]),
    ...(mcpServer === undefined ? [] : [[mcpServer.name, mcpServer.origin] as const]),
  ];
  const byOrigin = new Map<string, string[]>();
  for (const [part, origin] of parts) byOrigin.set(origin, [...(byOrigin.get(origin) ?? []), part]);
  return [...byOrigin].map(([origin, names]) => `${names.join(", ")}: ${origin}`);
}
