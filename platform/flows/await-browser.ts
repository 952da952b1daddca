// The person's part of a sign-in in the browser: the address to register before it opens, and what can be done while it is open. The
// browser comes back by itself; where it cannot, the address that it ended at is pasted.
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import { readPasted } from "../oauth/callback.ts";
import type { Receiver } from "../oauth/receiver.ts";
import { type FlowContext, titleOf } from "./flow.ts";

/**
 * Shows the address to register before the browser opens, and offers PKCE (RFC 7636) where the configuration does not ask for it.
 * Undefined: cancelled.
 */
export async function confirmRedirect(
  context: FlowContext,
  redirectUri: string,
  { useProofKeyForCodeExchange: always = false }: Pick<AuthenticationDefinition, "useProofKeyForCodeExchange">,
  forcePkce = context.forcePkce === true,
): Promise<{ readonly forcePkce: boolean } | undefined> {
  const { lastRedirect, redirect, host } = context;
  const changed = lastRedirect !== undefined && lastRedirect !== redirectUri;
  const anyPort = redirect.via !== "editor" && redirect.port === 0;
  const choice = await host.prompter.pick<"open" | "copy" | "pkce">({
    title: titleOf(context),
    placeholder: changed
      ? `The redirect address changed: register ${redirectUri} at the provider (at the last sign-in it was ${lastRedirect})`
      : lastRedirect === redirectUri
        ? `Redirect address, as at the last sign-in: ${redirectUri}`
        : `Redirect address to register at the provider: ${redirectUri}`,
    items: [
      {
        label: "Open the browser",
        description: always || forcePkce ? "to sign in, with PKCE" : "to sign in",
        detail: `The provider must know the redirect address ${redirectUri}${anyPort ? " with any port" : ""}. The published pack needs the platform's own redirect address registered too.`,
        value: "open",
      },
      { label: "Copy the redirect address", description: redirectUri, value: "copy" },
      ...(always
        ? []
        : [
            {
              label: forcePkce ? "Sign in without PKCE" : "Sign in with PKCE",
              description: "useProofKeyForCodeExchange is not set: the platform signs in without",
              value: "pkce" as const,
            },
          ]),
    ],
    ...(context.signal === undefined ? {} : { signal: context.signal }),
  });
  if (choice === "copy") await host.copy(redirectUri);
  if (choice === "copy" || choice === "pkce")
    return confirmRedirect(context, redirectUri, { useProofKeyForCodeExchange: always }, choice === "pkce" ? !forcePkce : forcePkce);
  return choice === "open" ? { forcePkce: forcePkce && !always } : undefined;
}

export interface Attempt {
  /** What the browser opens. */
  readonly address: string;
  readonly state: string;
}

/** Opens the browser and waits; undefined: cancelled. Throws authorization-timed-out. */
export async function awaitBrowser(context: FlowContext, receiver: Receiver, attempt: Attempt): Promise<URLSearchParams | undefined> {
  const { host } = context;
  host.progress("Waiting for the browser…");
  const over = new AbortController();
  const signal = context.signal === undefined ? over.signal : AbortSignal.any([context.signal, over.signal]);
  const callback = receiver.wait(attempt.state, { signal });
  // Rejections are looked at below; this keeps a time-out during openBrowser from being an unhandled one.
  callback.catch(() => {});
  try {
    const opened = await host.openBrowser(attempt.address);
    const byHand = offerPaste(context, receiver.redirectUri, attempt, opened, signal);
    return await Promise.race([callback, byHand]);
  } finally {
    over.abort();
  }
}

type Choice = "paste" | "open" | "copy" | "cancel";

/**
 * Offered until the browser is back. Never settles where the person puts the offer away: then the browser alone is waited for,
 * unless none was opened.
 */
async function offerPaste(
  context: FlowContext,
  redirectUri: string,
  attempt: Attempt,
  opened: boolean,
  signal: AbortSignal,
): Promise<URLSearchParams | undefined> {
  const { host } = context;
  const choice: Choice | undefined = await host.prompter.pick<Choice>({
    title: titleOf(context),
    placeholder: opened
      ? "Waiting for the browser: it comes back by itself"
      : "The browser did not open: copy the address, and open it yourself",
    items: [
      {
        label: "Paste the address that the browser ended at",
        detail: `Where it says that ${new URL(redirectUri).host || redirectUri} cannot be reached: copy its whole address bar.`,
        value: "paste",
      },
      { label: "Open the browser again", value: "open" },
      { label: "Copy the sign-in address", description: "for another browser", value: "copy" },
      { label: "Cancel the sign-in", value: "cancel" },
    ],
    signal,
  });
  if (choice === "cancel" || signal.aborted) return undefined;
  if (choice === "paste") {
    const pasted = await askAddress(context, redirectUri, attempt.state, signal);
    if (pasted !== undefined) return pasted;
  } else if (choice === "copy") await host.copy(attempt.address);
  else if (choice === "open") return offerPaste(context, redirectUri, attempt, await host.openBrowser(attempt.address), signal);
  else return opened ? new Promise(() => {}) : undefined;
  return offerPaste(context, redirectUri, attempt, opened, signal);
}

/** Masked: the address holds the code. */
async function askAddress(
  context: FlowContext,
  redirectUri: string,
  state: string,
  signal: AbortSignal,
): Promise<URLSearchParams | undefined> {
  const answer = await context.host.prompter.input({
    title: titleOf(context),
    prompt: "Paste the address that the browser ended at",
    placeholder: `${redirectUri}?code=…&state=…`,
    secret: true,
    validate: (value) => {
      const read = readPasted(value, redirectUri, state);
      return typeof read === "string" ? read : undefined;
    },
    signal,
  });
  if (answer === undefined) return undefined;
  const read = readPasted(answer, redirectUri, state);
  return typeof read === "string" ? undefined : read;
}
