// The symbols of a pack in a file, for the outline: configurations with their params, formulas, sync tables.
import { nameOf, paramsOf } from "../configuration/config.ts";
import { nameOfRunnable } from "../configuration/runnable.ts";
import type { AuthConfig, PackModel, RunnableFact } from "../model/pack.ts";
import type { Place, Span } from "../model/values.ts";
import { fileSpan } from "../text/place.ts";

export interface PackSymbol {
  readonly name: string;
  readonly detail: string;
  readonly kind: "authentication" | "param" | "formula" | "syncTable";
  /** The range of the whole symbol, including its name. */
  readonly span: Span;
  readonly nameSpan: Span;
  readonly children: readonly PackSymbol[];
}

export function symbolsIn(packs: readonly PackModel[], file: string): readonly PackSymbol[] {
  const all = packs.flatMap((pack) => [
    ...pack.auths.filter(({ place }) => place.file === file).map((auth) => authSymbol(pack, auth)),
    ...pack.runnables.flatMap((runnable) => {
      const name = runnable.place.file === file ? nameOfRunnable(pack, runnable) : undefined;
      return name === undefined ? [] : runnableSymbol(runnable, name);
    }),
  ]);
  // Two packs may share the file.
  return all
    .filter((symbol, index) => all.findIndex((other) => other.span.start === symbol.span.start && other.name === symbol.name) === index)
    .sort((a, b) => a.span.start - b.span.start);
}

function authSymbol(pack: PackModel, auth: AuthConfig): PackSymbol {
  const { call, config, place } = auth;
  const span = spanFrom(call?.place ?? place, config.place);
  const params = auth.type === "Custom" || auth.type === "MultiQueryParamToken" ? paramsOf(pack, auth) : [];
  return {
    name: auth.scope === "user" ? "User authentication" : "System authentication",
    detail: auth.type ?? "",
    kind: "authentication",
    span,
    nameSpan: fileSpan(place),
    children: params.flatMap(({ name, property, description = "" }): readonly PackSymbol[] => {
      if (name === undefined || name === "" || property === undefined) return [];
      const at = nameOf(property);
      const isInside = at.file === place.file && property.span.start >= span.start && property.span.end <= span.end;
      return isInside
        ? [
            {
              name,
              detail: description,
              kind: "param",
              span: fileSpan(property.span),
              nameSpan: fileSpan(property.value.place),
              children: [],
            },
          ]
        : [];
    }),
  };
}

function runnableSymbol({ kind, place, definition }: RunnableFact, name: string): PackSymbol {
  return {
    name,
    detail: kind === "formula" ? "formula" : "sync table",
    kind,
    span: spanFrom(place, definition.place),
    nameSpan: fileSpan(place),
    children: [],
  };
}

/** Returns the range to the end of the definition, if the definition follows in the same file. */
function spanFrom(place: Place, definitionPlace: Place): Span {
  return {
    start: place.start,
    end: definitionPlace.file === place.file && definitionPlace.start >= place.start ? Math.max(place.end, definitionPlace.end) : place.end,
  };
}
