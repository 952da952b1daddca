// A certificate authority for these tests, and the certificate that it gave to this machine's servers. Nobody trusts it unless told to.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Authority {
  /** The authority's own certificate: what an author names in packAuth.trustedCertificates. */
  readonly ca: string;
  readonly key: string;
  readonly cert: string;
  remove(): void;
}

const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

export function createAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), "pack-auth-authority-"));
  const file = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): void => void execFileSync("openssl", args, { stdio: ["ignore", "ignore", "pipe"] });
  const [ca, caKey, request, key, cert] = ["ca.pem", "ca.key", "request.pem", "server.key", "server.pem"].map(file) as [
    string,
    string,
    string,
    string,
    string,
  ];
  openssl("req", "-x509", ...NEW_KEY, "-days", "2", "-subj", "/CN=A company's own authority", "-keyout", caKey, "-out", ca);
  openssl("req", ...NEW_KEY, "-subj", "/CN=localhost", "-keyout", key, "-out", request);
  writeFileSync(file("names"), "subjectAltName=DNS:localhost,IP:127.0.0.1\n");
  openssl(
    "x509",
    "-req",
    "-in",
    request,
    "-CA",
    ca,
    "-CAkey",
    caKey,
    "-set_serial",
    "1",
    "-days",
    "2",
    "-extfile",
    file("names"),
    "-out",
    cert,
  );
  return { ca, key, cert, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
