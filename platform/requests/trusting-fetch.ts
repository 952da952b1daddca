// A fetch that also trusts the author's own certificates, for test servers whose certificate no public authority signed.

import { readFileSync } from "node:fs";
import { createSecureContext, rootCertificates } from "node:tls";
import { PackAuthError } from "../errors.ts";
import type { Fetch } from "../host.ts";

/** Returns a fetch that trusts the PEM files, of authorities or of servers, and connects without a proxy. Throws configuration-invalid. */
export async function trustingFetch(files: readonly string[]): Promise<Fetch> {
  const own = files.map((file) => {
    let text: string;
    try {
      text = readFileSync(file, "utf8");
    } catch (cause) {
      throw unusable(file, "cannot be read", cause);
    }
    if (!text.includes("-----BEGIN CERTIFICATE-----")) throw unusable(file, "contains no certificate in PEM form");
    return text;
  });
  const { Agent, fetch } = await import("undici");
  // The context is created once: reading a hundred certificates for each connection takes longer than connecting.
  const secureContext = createSecureContext({ ca: [...rootCertificates, ...own] });
  const dispatcher = new Agent({ connect: { secureContext } });
  // undici's types of requests and responses equal the web's under other names.
  return (url, init) => fetch(url, { ...init, dispatcher } as Parameters<typeof fetch>[1]) as unknown as Promise<Response>;
}

const unusable = (file: string, why: string, cause?: unknown): PackAuthError =>
  new PackAuthError("configuration-invalid", `The certificate ${file} ${why}.`, { nextStep: { do: "trustCertificate" }, cause });
