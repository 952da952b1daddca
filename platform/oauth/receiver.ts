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
export const WAIT = 300_000;

export const timedOut = (timeout: number, address: string): PackAuthError =>
  new PackAuthError("authorization-timed-out", t`The browser did not come back within ${Math.round(timeout / 1000)} s.`, {
    hint: t`Sign in again. If the provider showed an error, register the redirect address ${address} there exactly.`,
  });

/** Waits for the editor to be opened by its own address (RFC 8252, section 7.1). */
export async function receiveInEditor(editor: EditorAddress): Promise<Receiver> {
  const address = await editor.address();
  let stopWaiting: (() => void) | undefined;
  return {
    redirectUri: address,
    close: () => stopWaiting?.(),
    wait: (state, { signal, timeout = WAIT }) =>
      new Promise((resolve, reject) => {
        const settle = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", abort);
          stopListening();
          stopWaiting = undefined;
        };
        const abort = (): void => {
          settle();
          resolve(undefined);
        };
        const timer = setTimeout(() => {
          settle();
          reject(timedOut(timeout, address));
        }, timeout);
        // Any program can open the editor's address: what does not carry the state is none of this sign-in's.
        const stopListening = editor.onOpened((uri) => {
          const callback = URL.canParse(uri) ? readCallback(new URL(uri).searchParams, state) : undefined;
          if (callback === undefined || !("parameters" in callback)) return false;
          settle();
          resolve(callback.parameters);
          return true;
        });
        stopWaiting = abort;
        if (signal?.aborted) return abort();
        signal?.addEventListener("abort", abort, { once: true });
      }),
  };
}
