// Receives the browser's redirect: with a listener on this machine, or at the editor's own address. A sign-in uses both in the same way.
import { PackAuthError } from "../errors.ts";
import type { EditorAddress, PlatformHost } from "../host.ts";
import { readCallback, type UnusableCallback } from "./callback.ts";

/** The redirect address that is registered at the provider. */
export interface RedirectSettings {
  readonly host: "localhost" | "127.0.0.1";
  /** The port; 0 selects a free one. */
  readonly port: number;
  readonly path: string;
  /** `editor` uses the editor's own address (its URI handler), if the host has one. */
  readonly via?: "loopback" | "editor";
}

/** The address that the Packs SDK's documentation tells authors to register. */
export const DEFAULT_REDIRECT: RedirectSettings = { host: "localhost", port: 3000, path: "/oauth" };

export function redirectUri(settings: RedirectSettings, port = settings.port): string {
  return `http://${settings.host}:${port}${settings.path}`;
}

/**
 * Returns the settings with the default port instead of a free one if the browser reaches this machine through a forwarding: only a loopback
 * address may have any port (RFC 8252, section 7.3).
 */
export async function withForwardedPort(
  settings: RedirectSettings,
  host: Pick<PlatformHost, "externalAddress">,
): Promise<RedirectSettings> {
  if (settings.port !== 0 || host.externalAddress === undefined) return settings;
  const forwarded = { ...settings, port: DEFAULT_REDIRECT.port };
  const { hostname, pathname } = new URL(await host.externalAddress(redirectUri(forwarded)));
  return ["localhost", "127.0.0.1"].includes(hostname) && pathname === settings.path ? settings : forwarded;
}

/**
 * Returns the address to register at the provider, before a sign-in listens there. With port 0 it has no port, because any port may be
 * used.
 */
export async function addressToRegister(
  configured: RedirectSettings,
  host: Pick<PlatformHost, "externalAddress" | "editorAddress">,
): Promise<string> {
  if (configured.via === "editor" && host.editorAddress !== undefined) return host.editorAddress.address();
  const settings = await withForwardedPort(configured, host);
  if (settings.port === 0) return redirectUri(settings).replace(":0/", "/");
  return (await host.externalAddress?.(redirectUri(settings))) ?? redirectUri(settings);
}

export interface Receiver {
  /** The address as the browser and the provider see it. */
  readonly redirectUri: string;
  /** Returns the callback's parameters, or undefined if the receiver was closed or the signal aborted. Throws authorization-timed-out. */
  wait(
    state: string,
    options: WaitOptions & { readonly signal?: AbortSignal; readonly timeout?: number },
  ): Promise<URLSearchParams | undefined>;
  close(): void;
}

interface WaitOptions {
  /** How the exchange of the code ended, which the browser's last page shows: undefined if it returned a token. */
  readonly outcome?: Promise<Error | undefined>;
  /** Receives a response that cannot be used; the receiver continues to wait. */
  onUnusable?(callback: UnusableCallback): void;
}

/** Passes the response that carries the state to `accept`, and returns a function that stops listening. */
export type Listen = (state: string, options: WaitOptions, accept: (parameters: URLSearchParams) => void) => () => void;

/** Milliseconds that a person may take in the browser. */
const WAIT = 300_000;

export const timedOut = (timeout: number): PackAuthError =>
  new PackAuthError("authorization-timed-out", `The browser did not come back within ${Math.round(timeout / 1000)} s.`, {
    hint: "Sign in again. If the provider showed an error, paste its words then.",
  });

/** Returns a Receiver that accepts the first response from `listen`. `shut` releases what the caller opened before. */
export function receiverAt(address: string, listen: Listen, shut: () => void = () => {}): Receiver {
  let stopWaiting: (() => void) | undefined;
  return {
    redirectUri: address,
    close() {
      stopWaiting?.();
      shut();
    },
    wait: (state, { signal, timeout = WAIT, ...options }) =>
      new Promise((resolve, reject) => {
        const settle = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", abort);
          stopListening();
          stopWaiting = undefined;
        };
        const accept = (parameters: URLSearchParams | undefined): void => {
          settle();
          resolve(parameters);
        };
        const abort = (): void => accept(undefined);
        const timer = setTimeout(() => {
          settle();
          reject(timedOut(timeout));
        }, timeout);
        const stopListening = listen(state, options, accept);
        stopWaiting = abort;
        if (signal?.aborted) return abort();
        signal?.addEventListener("abort", abort, { once: true });
      }),
  };
}

/** Returns a Receiver that waits for the editor to be opened by its own address (RFC 8252, section 7.1). */
export const receiveInEditor = async (editor: EditorAddress): Promise<Receiver> =>
  receiverAt(await editor.address(), (state, { onUnusable }, accept) =>
    // Any program can open the editor's address, so a URI without the state does not belong to this sign-in.
    editor.onOpened((uri) => {
      if (!URL.canParse(uri)) return false;
      const { searchParams: parameters } = new URL(uri);
      const callback = readCallback(parameters, state);
      if ("problem" in callback) {
        if (callback.problem === "no-state") onUnusable?.({ problem: callback.problem, parameters });
        return false;
      }
      accept(callback.parameters);
      return true;
    }),
  );
