// The person's part of a sign-in: the address to register before the browser opens, and the actions while it is open. If the browser cannot
// return by itself, the person pastes the address that it ended at.
import { defined } from "../../../base/defined.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { configRoot } from "../../../spec/auth-types.ts";
import { PackAuthError, wholeMessage } from "../../errors.ts";
import { type PageRefusal, refusalInPasted } from "../../oauth/authorization-page.ts";
import { readPasted, type UnusableCallback } from "../../oauth/callback.ts";
import type { Receiver } from "../../oauth/receiver.ts";
import { type FlowContext, titleOf } from "./flow.ts";

/**
 * Shows the address to register before the browser opens, and offers PKCE (RFC 7636) if the configuration does not use it.
 * Returns undefined if the person cancels.
 */
export async function confirmRedirect(
  context: FlowContext,
  redirectUri: string,
  { useProofKeyForCodeExchange: always = false }: Pick<AuthenticationDefinition, "useProofKeyForCodeExchange">,
  /** True if the application was registered with this address (RFC 7591), as on the platform, so that the person need not register it. */
  isRegistered = false,
): Promise<{ readonly forcePkce: boolean } | undefined> {
  const { lastRedirect, redirect, host } = context;
  const published = isRegistered ? undefined : context.published;
  const hasRedirectChanged = !isRegistered && lastRedirect !== undefined && lastRedirect !== redirectUri;
  const anyPort = redirect.via !== "editor" && redirect.port === 0;
  const copyDetail = hasRedirectChanged
    ? `At the last sign-in it was ${lastRedirect}.`
    : published?.address === undefined
      ? published?.whereToFind
      : "Accounts that are connected here need it.";
  let forcePkce = context.forcePkce;
  for (;;) {
    const choice = await host.prompter.pick<"open" | "copy" | "published" | "pkce">({
      title: titleOf(context),
      placeholder: isRegistered
        ? `Redirect address, registered at the provider: ${redirectUri}`
        : hasRedirectChanged
          ? `The redirect address changed: register ${redirectUri} at the provider`
          : lastRedirect === redirectUri
            ? `Redirect address, as at the last sign-in: ${redirectUri}`
            : `Redirect address to register at the provider: ${redirectUri}`,
      items: [
        {
          label: "Open the browser",
          description: always || forcePkce ? "to sign in, with PKCE" : "to sign in",
          value: "open",
          ...defined({
            detail: isRegistered
              ? undefined
              : `The provider must know the redirect address exactly like this${anyPort ? ", with any port" : ""}.`,
          }),
        },
        { label: "Copy the redirect address", value: "copy", ...defined({ detail: isRegistered ? undefined : copyDetail }) },
        ...(published?.address === undefined
          ? []
          : [
              {
                label: "Copy the published redirect address",
                description: published.address,
                detail: `Register it too. Legacy: ${published.legacy.map((address) => address.replace("https://", "")).join(", ")}.`,
                value: "published" as const,
              },
            ]),
        ...(always
          ? []
          : [
              {
                label: forcePkce ? "Sign in without PKCE" : "Sign in with PKCE",
                detail: "useProofKeyForCodeExchange is not set: the platform signs in without PKCE.",
                value: "pkce" as const,
              },
            ]),
      ],
      ...defined({ signal: context.signal, back: context.back }),
    });
    if (choice === undefined) return undefined;
    if (choice === "open") return { forcePkce: forcePkce && !always };
    if (choice === "copy") await host.copy(redirectUri);
    else if (choice === "pkce") forcePkce = !forcePkce;
    else if (published?.address !== undefined) await host.copy(published.address);
  }
}

interface Attempt {
  /** The address that the browser opens. */
  readonly address: string;
  readonly state: string;
  /** Returns an error that only the provider's page shows, requested after some seconds, or undefined. Never throws. */
  askPage(signal: AbortSignal): Promise<PackAuthError | undefined>;
  /** Explains the error that the person read on the page. */
  explain(page: PageRefusal): Promise<PackAuthError>;
  /** Explains a callback that cannot be used. */
  explainUnusable(unusableCallback: UnusableCallback): PackAuthError;
  /** How the exchange of the code ends. */
  readonly outcome: Promise<Error | undefined>;
}

/**
 * Opens the browser and waits for the callback. Returns undefined if the person cancels.
 * Throws authorization-timed-out, or the page's error if the person ends the sign-in because of it.
 */
export async function awaitBrowser(context: FlowContext, receiver: Receiver, attempt: Attempt): Promise<URLSearchParams | undefined> {
  const { host } = context;
  host.progress(WAITING);
  const over = new AbortController();
  const signal = context.signal === undefined ? over.signal : AbortSignal.any([context.signal, over.signal]);
  const page: Page = { refusal: undefined, onNews: () => {} };
  const report = (refusal: PackAuthError): void => {
    if (signal.aborted) return;
    page.refusal = refusal;
    host.progress(wholeMessage(refusal, host.words));
    page.onNews();
  };
  const { state, outcome } = attempt;
  const callback = receiver.wait(state, {
    signal,
    outcome,
    onUnusable: (unusableCallback) => report(attempt.explainUnusable(unusableCallback)),
  });
  // The race below handles rejections; this handler prevents an unhandled rejection if the time-out occurs during openBrowser.
  callback.catch(() => {});
  // An error that the browser brought back is more reliable than the page that another request gets.
  void attempt.askPage(signal).then((refusal) => refusal && page.refusal === undefined && report(refusal));
  try {
    // The callback may arrive before openBrowser resolves.
    const opening = host.openBrowser(attempt.address);
    const ways = opening.then((isBrowserOpen) => offerWays(context, receiver.redirectUri, attempt, { isBrowserOpen, page, signal }));
    return await Promise.race([callback, ways]);
  } catch (error) {
    throw error instanceof PackAuthError && error.code === "authorization-timed-out"
      ? timedOutAt(page.refusal, error, context, attempt)
      : error;
  } finally {
    over.abort();
  }
}

/** The provider's error, from its page or from an unusable callback. */
interface Page {
  refusal: PackAuthError | undefined;
  onNews: () => void;
}

/** Adds the known error to the time-out. Without one, authorizationUrl is the field to check. */
function timedOutAt(refusal: PackAuthError | undefined, error: PackAuthError, { scope }: FlowContext, { address }: Attempt): PackAuthError {
  const { hint, nextStep } = refusal ?? { hint: `${error.hint} ${whatToCompare(address)}`, nextStep: error.nextStep };
  return new PackAuthError(error.code, refusal === undefined ? error.message : `${refusal.message} ${error.message}`, {
    hint,
    nextStep,
    configPath: refusal?.configPath ?? `${configRoot(scope)}.authorizationUrl`,
    cause: error,
  });
}

/** A provider may say what is wrong with a client only behind its own sign-in page, which nobody else can see. */
function whatToCompare(address: string): string {
  const { host, searchParams } = new URL(address);
  return `Compare the client ID ${clientIdIn(address)} and the redirect address ${searchParams.get("redirect_uri")} with the application's settings at ${host}: both must be the same there.`;
}

const clientIdIn = (address: string): string => new URL(address).searchParams.get("client_id") ?? "";

const WAITING = "Waiting for the browser…";

type Choice = "error" | "paste" | "open" | "copy" | "cancel";

interface Waiting {
  readonly isBrowserOpen: boolean;
  readonly page: Page;
  readonly signal: AbortSignal;
}

/**
 * Shows the actions until the browser is back, and again with each new error of the provider.
 * If the person closes the menu, it stays closed until a new error; the browser is still waited for. If no browser opened, returns
 * undefined.
 */
async function offerWays(
  context: FlowContext,
  redirectUri: string,
  attempt: Attempt,
  { isBrowserOpen: first, page, signal }: Waiting,
): Promise<URLSearchParams | undefined> {
  const { host } = context;
  let isBrowserOpen = first;
  while (!signal.aborted) {
    const { refusal } = page;
    const renewed = new AbortController();
    page.onNews = () => renewed.abort();
    const choice = await host.prompter.pick<Choice>({
      title: titleOf(context),
      placeholder: waitingFor(isBrowserOpen, refusal),
      items: waysOf(redirectUri, isBrowserOpen, refusal, attempt.address),
      progress: refusal === undefined ? WAITING : wholeMessage(refusal, host.words),
      signal: AbortSignal.any([signal, renewed.signal]),
    });
    if (choice === "cancel" || signal.aborted) return undefined;
    if (choice === "paste") {
      const pasted = await askPasted(context, redirectUri, attempt.state, signal);
      if (pasted instanceof URLSearchParams) return pasted;
      if (pasted !== undefined) throw await attempt.explain(pasted);
    } else if (choice === "error") {
      if (page.refusal !== undefined) throw page.refusal;
    } else if (choice === "copy") await host.copy(attempt.address);
    else if (choice === "open") isBrowserOpen = await host.openBrowser(attempt.address);
    else if (choice === undefined && page.refusal === refusal) {
      if (!isBrowserOpen) return undefined;
      // The person closed the menu: it is shown again only with a new error.
      await new Promise<void>((resolve) => {
        page.onNews = resolve;
      });
    }
  }
  return undefined;
}

function waitingFor(isBrowserOpen: boolean, refusal: PackAuthError | undefined): string {
  if (refusal !== undefined) return refusal.message;
  return isBrowserOpen
    ? "Waiting for the browser. It returns by itself after you sign in."
    : "Copy the address, and open it yourself. The browser did not open.";
}

/** An editor cuts a longer row. */
const LONGEST_ID = 36;

const beginningOf = (id: string): string => (id.length > LONGEST_ID ? `${id.slice(0, LONGEST_ID)}…` : id);

/** Returns the actions; those for a known error come first. */
const waysOf = (redirectUri: string, isBrowserOpen: boolean, refusal: PackAuthError | undefined, address: string): readonly Way[] => [
  ...(refusal === undefined ? [] : [{ label: "End the sign-in, and show what to change", value: "error" as const }]),
  isBrowserOpen ? { label: "Open the browser again", value: "open" } : { label: "Copy the sign-in address", value: "copy" },
  {
    label: "Paste the address that the browser ended at, or the error that the page shows",
    detail: `If the browser cannot reach ${new URL(redirectUri).host || redirectUri}, copy its whole address bar.`,
    value: "paste",
  },
  {
    label: "Cancel the sign-in",
    detail: `If the page shows an error, compare the client ID: ${beginningOf(clientIdIn(address))}`,
    value: "cancel",
  },
];

interface Way {
  readonly label: string;
  readonly detail?: string;
  readonly value: Choice;
}

/** Returns the callback's parameters, or the error that the page shows. The input is masked, because the address contains the code. */
async function askPasted(
  context: FlowContext,
  redirectUri: string,
  state: string,
  signal: AbortSignal,
): Promise<URLSearchParams | PageRefusal | undefined> {
  const read = (text: string): URLSearchParams | PageRefusal | string => refusalInPasted(text) ?? readPasted(text, redirectUri, state);
  const reply = await context.host.prompter.input({
    title: titleOf(context),
    prompt: "Paste the address that the browser ended at, or the error that the page shows",
    placeholder: `${redirectUri}?code=…&state=…`,
    secret: true,
    validate: (value) => {
      const problem = read(value);
      return typeof problem === "string" ? problem : undefined;
    },
    signal,
  });
  const pasted = reply === undefined ? undefined : read(reply);
  return typeof pasted === "string" ? undefined : pasted;
}
