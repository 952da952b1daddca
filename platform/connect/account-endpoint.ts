// Lets a person choose an account's endpoint (auth-spec 5.7), by typing it or from a list that the pack returns. It also gets the account's
// name from the pack, before and after that choice (auth-spec 5.6).
import { defined } from "../../base/defined.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { RequestTrace } from "../../protocol/run.ts";
import { configRoot } from "../../spec/auth-types.ts";
import { explain } from "../diagnosis/explain.ts";
import { explainMissingData } from "../diagnosis/missing-data.ts";
import { explanationText } from "../diagnosis/words.ts";
import { PackAuthError } from "../errors.ts";
import type { Back } from "../host.ts";
import { choiceProblem, endpointProblem, normaliseEndpoint } from "../network/endpoint.ts";
import { executeAlone } from "../runs/execute.ts";
import { explainCall } from "../runs/explain-run.ts";
import { inputOf } from "../runs/run-input.ts";
import type { RunWorld } from "../runs/run-world.ts";
import { type Echo, watchForEcho } from "../sandbox/first-echo.ts";
import { type FlowContext, titleOf } from "./flows/flow.ts";

/** The part of a sign-in's context that these prompts need; a later change of the endpoint has no more. */
export type EndpointContext = Pick<FlowContext, "auth" | "scope" | "packName" | "host" | "signal" | "sandbox" | "timezone">;

/** Returns the endpoint that the user enters, checked against endpointDomain (auth-spec 5.7), or undefined if the user cancels. */
export async function askEndpoint(context: EndpointContext, current?: string, back?: Back): Promise<string | undefined> {
  if (context.sandbox?.endpoint !== undefined) return context.sandbox.endpoint;
  const { endpointDomain } = context.auth;
  const reply = await context.host.prompter.input({
    title: titleOf(context),
    prompt: endpointDomain === undefined ? "Your account's endpoint URL" : `Your account's endpoint URL, under ${endpointDomain}`,
    placeholder: `https://${endpointDomain === undefined ? "my-site.example" : `my-site.${endpointDomain}`}`,
    validate: (value) => choiceProblem(value, endpointDomain),
    signal: context.signal,
    ...defined({ value: current, back }),
  });
  return reply === undefined ? undefined : normaliseEndpoint(reply);
}

/** A note about a successful step: getConnectionName threw, fewer scopes were granted, or a value is too short to be masked. */
export interface Note {
  readonly message: string;
  /** The field of the configuration that the note is about. */
  readonly configPath?: string;
  readonly error?: unknown;
  /** The request that the sandbox echoed because it had no response for it. */
  readonly echo?: Echo;
}

export interface ConnectionName {
  /** The name; if absent, the account gets the default label. */
  readonly label?: string;
  /** Why there is no name. */
  readonly unnamed?: string;
  /** Whether getConnectionName threw, so the user may still have a name. */
  readonly hasFailed: boolean;
  /** Why the credentials are unverified; absent if a request with them succeeded. */
  readonly unchecked?: string;
  /** Whether the API refused the credentials with 401. */
  readonly isRefused: boolean;
  readonly note?: Note;
}

/**
 * Returns the result of getConnectionName (auth-spec 5.6). An empty name means the default label; an exception becomes a note and does not
 * lose the account.
 */
export async function connectionName(context: EndpointContext, world: RunWorld): Promise<ConnectionName> {
  if (!context.auth.hasGetConnectionName) return because("the pack has no getConnectionName");
  context.host.progress("Asking for the account's name…");
  const requests: RequestTrace[] = [];
  let last: RequestTrace | undefined;
  /** Whether a request carried the credentials, and whether such a request succeeded. */
  let [isSent, hasSucceeded] = [false, false];
  const watched = watchForEcho((trace) => {
    last = trace;
    requests.push(trace);
    const { status, credentials } = trace;
    isSent ||= status !== undefined && credentials.length > 0;
    // A redirect proves nothing yet, and a sign-in page does not identify the user.
    const isOfAccount = credentials.length > 0 || trace.redirectedFrom !== undefined;
    hasSucceeded ||= status !== undefined && status < 300 && isOfAccount && explainMissingData(trace) === undefined;
  });
  const isRefused = (): boolean => last?.status === 401 && last.credentials.length > 0;
  /** A name that the pack made from an echoed request is not a user's name. */
  const echoedName = (echo: Echo): ConnectionName => ({
    ...because("the sandbox echoed what getConnectionName asked"),
    note: { message: echo.request.echoed?.message ?? "", echo },
  });
  const target = { kind: "authentication", scope: context.scope, function: { name: "getConnectionName" } } as const;
  try {
    const result = await executeAlone(inputOf(target, [], { timezone: context.timezone }), world, watched.observer);
    const echo = watched.echo();
    if (echo !== undefined) return echoedName(echo);
    const label = typeof result?.value === "string" ? result.value.trim() : "";
    const unnamed = "getConnectionName returned no name";
    const named = { ...WITHOUT_FAILURE, ...(label === "" ? { unnamed } : { label }) };
    if (!isSent) return { ...named, unchecked: "getConnectionName sends no request with the credentials" };
    const problem = hasSucceeded || last === undefined ? undefined : explainMissingData(last, context.auth);
    if (problem !== undefined)
      return { ...named, unchecked: "the API answered getConnectionName with no data", note: { message: problem } };
    // The pack may catch the error of a failed request.
    if (!hasSucceeded) return { ...named, unchecked: "no request of getConnectionName succeeded", isRefused: isRefused() };
    return label === "" ? { ...named, unchecked: `${unnamed}, as some APIs give none for a wrong credential` } : named;
  } catch (error) {
    const echo = watched.echo(error);
    if (echo !== undefined) return echoedName(echo);
    return {
      ...because("getConnectionName failed"),
      hasFailed: true,
      isRefused: isRefused(),
      note: {
        message: "getConnectionName failed, so the account has the default name",
        error: explainCall(error, target, requests, world),
      },
    };
  }
}

const WITHOUT_FAILURE = { hasFailed: false, isRefused: false };

const because = (reason: string): ConnectionName => ({ ...WITHOUT_FAILURE, unnamed: reason, unchecked: reason });

export interface Placed extends ConnectionName {
  readonly endpoint?: string;
}

/**
 * Gets the account's name, runs the postSetup steps that choose its endpoint, then gets the name again (auth-spec 5.6.5).
 * Returns undefined if the person cancels. `worldAt` returns the world with the endpoint known so far.
 */
export async function nameAndPlace(
  context: EndpointContext,
  initialEndpoint: string | undefined,
  worldAt: (endpoint: string | undefined) => RunWorld,
): Promise<Placed | undefined> {
  let endpoint = initialEndpoint;
  let stepNote: Note | undefined;
  let name = await connectionName(context, worldAt(endpoint));
  const steps = context.auth.postSetup.filter((step) => step.hasOptions);
  for (const step of steps) {
    const chosen = await chooseEndpoint(context, step, worldAt(endpoint));
    if (chosen === undefined) return undefined;
    endpoint = chosen.endpoint;
    stepNote ??= chosen.note;
  }
  // A failure of the first call does not matter if the second call, with the endpoint, succeeds.
  if (steps.length > 0) name = await connectionName(context, worldAt(endpoint));
  // Without the options the name can hardly be right, so their note comes first.
  const note = stepNote ?? name.note;
  return { ...name, ...defined({ note, endpoint }) };
}

/** Returns a note about an endpoint that nobody typed and that the platform may refuse. It is used here all the same (sdk-facts 5). */
export function endpointNote(endpoint: string | undefined, auth: AuthenticationDefinition): Note | undefined {
  const problem = endpoint === undefined ? undefined : endpointProblem(endpoint, auth.endpointDomain);
  return problem === undefined ? undefined : { message: `${String(endpoint)} works here; the platform would refuse it. ${problem}` };
}

/**
 * Returns one of the options that the pack lists (auth-spec 5.7.5). If the sandbox echoed the request for them, returns the sandbox's own
 * endpoint.
 */
async function chooseEndpoint(
  context: EndpointContext,
  step: AuthenticationDefinition["postSetup"][number],
  world: RunWorld,
): Promise<{ readonly endpoint: string; readonly note?: Note } | undefined> {
  context.host.progress("Asking for the endpoints…");
  const configPath = `${configRoot(context.scope)}.postSetup`;
  const requests: RequestTrace[] = [];
  const watched = watchForEcho((trace) => void requests.push(trace));
  const target = { kind: "authentication", scope: context.scope, function: { name: "getOptions", step: step.name } } as const;
  let echo: Echo | undefined;
  const result = await executeAlone(inputOf(target, [], { timezone: context.timezone }), world, watched.observer).catch(
    (error: unknown) => {
      echo = watched.echo(error);
      if (echo === undefined) throw explainCall(error, target, requests, world);
      return { value: [] };
    },
  );
  if (result === undefined) return undefined;
  const options = optionsOf(result.value);
  const own = context.sandbox?.endpoint;
  echo ??= watched.echo();
  if (options.length === 0 && echo !== undefined && own !== undefined)
    return { endpoint: own, note: { message: `The account has the sandbox's endpoint. ${echo.request.echoed?.message ?? ""}`, echo } };
  if (options.length === 0) {
    const last = requests.at(-1);
    const answer = last?.status === undefined ? "" : ` ${last.method} ${last.url} was answered with status ${last.status}.`;
    const explanation = last && explain({ phase: "resource", auth: context.auth, exchange: last });
    throw new PackAuthError("endpoint-invalid", `The step ${step.name} lists no endpoint.${answer}`, {
      nextStep: explanation?.nextStep,
      hint: explanation ? explanationText(explanation) : "Check what getOptions returns: strings, or objects with display and value.",
      configPath,
    });
  }
  const chosen = await context.host.prompter.pick({
    title: titleOf(context),
    placeholder: step.description || "Choose the endpoint",
    items: options.map((option) => ({
      label: option.display,
      description: option.display === option.value ? "" : option.value,
      value: option.value,
    })),
    signal: context.signal,
  });
  if (chosen === undefined) return undefined;
  const problem = choiceProblem(chosen);
  if (problem !== undefined)
    throw new PackAuthError("endpoint-invalid", `The chosen endpoint ${chosen} cannot be used. ${problem}`, { configPath });
  return { endpoint: normaliseEndpoint(chosen) };
}

function optionsOf(value: unknown): readonly { display: string; value: string }[] {
  const list = Array.isArray(value) ? value : (value as { result?: unknown } | null)?.result;
  return (Array.isArray(list) ? list : []).flatMap((item: unknown) => {
    if (typeof item === "string") return [{ display: item, value: item }];
    const { display, value: url } = (item ?? {}) as { display?: unknown; value?: unknown };
    return typeof url === "string" ? [{ display: typeof display === "string" ? display : url, value: url }] : [];
  });
}
