// Certificates for servers of the tests: made anew by each process, so that none is in the repository and none outlives its test by long.
import { generate } from "selfsigned";

/** A private key and its certificate, both PEM. */
export interface KeyPair {
  readonly key: string;
  readonly cert: string;
}

const DAY = 24 * 60 * 60 * 1_000;

const lifetime = () => ({ notBeforeDate: new Date(Date.now() - DAY), notAfterDate: new Date(Date.now() + DAY) });

async function keyPair(commonName: string, options: NonNullable<Parameters<typeof generate>[1]>): Promise<KeyPair> {
  const { private: key, cert } = await generate([{ name: "commonName", value: commonName }], {
    keyType: "ec",
    algorithm: "sha256",
    ...lifetime(),
    ...options,
  });
  return { key, cert };
}

let selfSignedPair: Promise<KeyPair> | undefined;

/** A certificate for 127.0.0.1 that is signed by itself alone; the same one for the whole process. */
export function selfSigned(): Promise<KeyPair> {
  selfSignedPair ??= keyPair("127.0.0.1", {
    extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }],
  });
  return selfSignedPair;
}

/** A certificate authority. */
export const authorityPair = (commonName: string): Promise<KeyPair> =>
  keyPair(commonName, {
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    ],
  });

/** A certificate for localhost and 127.0.0.1 that `authority` signed. */
export const localhostPair = (authority: KeyPair): Promise<KeyPair> =>
  keyPair("localhost", {
    ca: authority,
    extensions: [
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: "localhost" },
          { type: 7, ip: "127.0.0.1" },
        ],
      },
    ],
  });
