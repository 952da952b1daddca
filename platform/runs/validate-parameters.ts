// Calls validateParameters of a sync table before its rows are read, as the SDK's documentation describes. A refusal becomes an
// invalid-parameter error.
import { defined } from "../../base/defined.ts";
import { isRecord } from "../../base/is-record.ts";
import type { PlatformDifference, RunTarget } from "../../protocol/run.ts";
import { PackAuthError } from "../errors.ts";
import { execute } from "./execute.ts";
import type { RunInput } from "./run-input.ts";
import type { RunObserver } from "./run-observer.ts";
import type { OpenWorld } from "./run-world.ts";

/** The SDK's ParameterValidationResult. */
interface Validation {
  readonly isValid: boolean;
  readonly message?: string;
  readonly errors?: readonly { readonly parameterName: string; readonly message: string }[];
}

const UNDOCUMENTED: PlatformDifference = {
  message:
    "validateParameters refused these parameters, so the table was not read. Check in execute too what must never pass: a document's own sync may not call validateParameters.",
};

/** Returns undefined if the run was stopped. Throws the errors of an execution, and pack-threw if the result is not a validation result. */
export async function validate(
  { target: { name, dynamicUrl }, ...call }: RunInput<Pick<RunTarget & { kind: "syncTable" }, "name" | "dynamicUrl">>,
  world: OpenWorld,
  observer: RunObserver,
): Promise<Validation | undefined> {
  const execution = await execute({ ...call, target: { kind: "validateParameters", name, ...defined({ dynamicUrl }) } }, world, observer);
  return execution === undefined ? undefined : readValidation(execution.value);
}

/**
 * Returns false if the run was stopped. Throws invalid-parameter if the table refuses its parameters, and the errors of {@link validate}.
 */
export async function passesValidation(
  input: RunInput<RunTarget & { kind: "syncTable" }>,
  world: OpenWorld,
  observer: RunObserver,
): Promise<boolean> {
  const { target } = input;
  const table = world.pack.definition.syncTables.find((candidate) => candidate.name === target.name);
  // A sync that continues was validated when it began.
  if (table?.hasValidateParameters !== true || target.continuation !== undefined) return true;
  const validation = await validate(input, world, observer);
  if (validation === undefined) return false;
  if (validation.isValid) return true;
  observer.onPlatformDifference(UNDOCUMENTED);
  throw refusal(validation);
}

function refusal({ message = "validateParameters refuses the parameters.", errors = [] }: Validation): PackAuthError {
  const field = errors[0]?.parameterName;
  const details = errors.map((each) => `${each.parameterName}: ${each.message}`).join("\n");
  return new PackAuthError("invalid-parameter", details === "" ? message : `${message}\n${details}`, { field });
}

function readValidation(value: unknown): Validation {
  if (!isRecord(value) || typeof value.isValid !== "boolean") {
    throw new PackAuthError("pack-threw", "validateParameters returned no { isValid: true } and no { isValid: false, message: … }.", {
      hint: "Return an object with isValid; where it is false, with a message, and with errors of { parameterName, message }.",
    });
  }
  const errors = Array.isArray(value.errors)
    ? value.errors.filter(isRecord).map((each) => ({ parameterName: String(each.parameterName), message: String(each.message) }))
    : undefined;
  return { isValid: value.isValid, ...defined({ message: typeof value.message === "string" ? value.message : undefined, errors }) };
}
