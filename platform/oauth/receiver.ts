// Where the browser comes back to: a listener on this machine, or the editor's own address. Both are one kind of thing to a sign-in.
import { t } from "@vscode/l10n";
import { PackAuthError } from "../errors.ts";
import type { EditorAddress, PlatformHost } from "../host.ts";
import { readCallback } from "./callback.ts";

/** The redirect address that is registered at the provider. */
export interface RedirectSettings {
  readonly host: "localhost" | "127.0.0.1";
  /** 0 takes a free port. */
  readonly port: number;
  readonly path: string;
  /** "editor": the editor's own address (its URI handler), where the host has one. */
  readonly via?: "loopback" | "editor";
}

/** The one that the toolkit's documentation tells authors to register. */
export const DEFAULT_REDIRECT: RedirectSettings = { host: "localhost", port: 3000, path: "/oauth" };

export function redirectUri(settings: RedirectSettings, port = settings.port): string {
  return `http://${settings.host}:${port}${settings.path}`;
}

/** The address to register at the provider, as it is before a sign-in listens there. With a free port: the one for any port. */
export async function addressToRegister(
  settings: RedirectSettings,
  host: Pick<PlatformHost, "externalAddress" | "editorAddress">,
): Promise<string> {
  if (settings.via === "editor" && host.editorAddress !== undefined) return host.editorAddress.address();
  if (settings.port === 0) return redirectUri(settings).replace(":0/", "/");
  return (await host.externalAddress?.(redirectUri(settings))) ?? redirectUri(settings);
}

export interface Receiver {
  /** As the browser and the provider know it. */
  readonly redirectUri: string;
  /** The callback's parameters; undefined when it was closed or the signal aborted. Throws authorization-timed-out. */
  wait(state: string, options: { readonly signal?: AbortSignal; readonly timeout?: number }): Promise<URLSearchParams | undefined>;
  close(): void;
}

/** Milliseconds that a person may take in the browser. */
const WAIT = 300_000;

export const timedOut = (timeout: number, address: string): PackAuthError =>
  new PackAuthError("authorization-timed-out", t`The browser did not come back within ${Math.round(timeout / 1000)} s.`, {
    hint: t`Sign in again. If the provider showed an error, register the redirect address ${address} there exactly.`,
  });

/**
 * `listen` hands the answers that carry the state to `take`, of which the first one counts, and gives what ends the listening; `shut` ends what
 * was opened before it.
 */
export function receiverAt(
  address: string,
  listen: (state: string, take: (parameters: URLSearchParams) => void) => () => void,
  shut: () => void = () => {},
): Receiver {
  let stopWaiting: (() => void) | undefined;
  return {
    redirectUri: address,
    close() {
      stopWaiting?.();
      shut();
    },
    wait: (state, { signal, timeout = WAIT }) =>
      new Promise((resolve, reject) => {
        const settle = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", abort);
          stopListening();
          stopWaiting = undefined;
        };
        const take = (parameters: URLSearchParams | undefined): void => {
          settle();
          resolve(parameters);
        };
        const abort = (): void => take(undefined);
        const timer = setTimeout(() => {
          settle();
          reject(timedOut(timeout, address));
        }, timeout);
        const stopListening = listen(state, take);
        stopWaiting = abort;
        if (signal?.aborted) return abort();
        signal?.addEventListener("abort", abort, { once: true });
      }),
  };
}

/** Waits for the editor to be opened by its own address (RFC 8252, section 7.1). */
export const receiveInEditor = async (editor: EditorAddress): Promise<Receiver> =>
  receiverAt(await editor.address(), (state, take) =>
    // Any program can open the editor's address: what does not carry the state is none of this sign-in's.
    editor.onOpened((uri) => {
      const callback = URL.canParse(uri) ? readCallback(new URL(uri).searchParams, state) : undefined;
      if (callback === undefined || !("parameters" in callback)) return false;
      take(callback.parameters);
      return true;
    }),
  );
