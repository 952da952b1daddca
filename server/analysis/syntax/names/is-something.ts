import type { Expression } from "../../model/values.ts";
import { isOpaque } from "../expressions.ts";

/** Returns whether `||` or `??` takes the value, or undefined if unknown. For a condition, use `||`. */
export function isSomething(value: Expression, by: "||" | "??"): boolean | undefined {
  switch (value.kind) {
    case "choice":
    case "reference":
      return undefined;
    case "template":
      return by === "??" || value.parts.some((part) => part.kind === "string" && part.value !== "") || undefined;
    case "null":
    case "undefined":
      return false;
    case "string":
    case "number":
    case "boolean":
      return by === "??" || Boolean(value.value);
    default:
      return isOpaque(value) ? undefined : true;
  }
}
