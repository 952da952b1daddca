// A certificate authority for these tests, and the certificate that it gave to this machine's servers. Nobody trusts it unless told to.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authorityPair, localhostPair } from "../support/certificates.ts";

/** Paths of PEM files in a temporary folder, which `remove` deletes. */
export interface Authority {
  /** The authority's own certificate: what an author names in packAuth.trustedCertificates. */
  readonly ca: string;
  readonly key: string;
  readonly cert: string;
  remove(): void;
}

export async function createAuthority(): Promise<Authority> {
  const authority = await authorityPair("A company's own authority");
  const server = await localhostPair(authority);
  const folder = mkdtempSync(join(tmpdir(), "pack-auth-authority-"));
  const write = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };
  return {
    ca: write("ca.pem", authority.cert),
    key: write("server.key", server.key),
    cert: write("server.pem", server.cert),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
