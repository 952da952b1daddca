// Certificates for the servers of tests. Each process creates new ones, so the repository contains none, and they expire soon after the
// test.
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

/** Returns a self-signed certificate for 127.0.0.1, the same for the whole process. */
export function selfSigned(): Promise<KeyPair> {
  selfSignedPair ??= keyPair("127.0.0.1", {
    extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }],
  });
  return selfSignedPair;
}

/** Returns a certificate authority. */
export const authorityPair = (commonName: string): Promise<KeyPair> =>
  keyPair(commonName, {
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    ],
  });

/** Returns a certificate for localhost and 127.0.0.1, signed by `authority`. */
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

/** Returns a self-signed certificate for host names. */
export const certificateOf = (names: readonly string[]): Promise<KeyPair> =>
  keyPair("stand-in", {
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "subjectAltName", altNames: names.map((value) => ({ type: 2, value })) },
    ],
  });
