// AWS Signature Version 4: returns a request with the headers that authenticate its sender. Signing is the last step, because the signature
// covers the whole request.
import { defined } from "../../base/defined.ts";
import type { FieldWith } from "../../spec/configuration-fields.ts";
import type { OutgoingRequest } from "../network/outgoing-request.ts";

/** The keys of a user or of a role's session. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The fields of the configuration that a signature depends on, such as `service`, and further options. */
interface SigningOptions extends Readonly<Record<FieldWith<"signature">, string>> {
  /** The region; by default the one in the host name ({@link regionOf}). */
  readonly region?: string;
  /** The time of the signature; now by default. */
  readonly date?: Date;
}

/** The headers of a signature, which replace the pack's own. */
export const SIGNATURE_HEADERS = ["authorization", "x-amz-date", "x-amz-security-token", "x-amz-content-sha256"] as const;

/** Returns the signed request. Headers of an earlier signature are removed first. */
export async function signRequest(request: OutgoingRequest, keys: AwsKeys, options: SigningOptions): Promise<OutgoingRequest> {
  // These modules are loaded only for signing, because they are large and most packs do not use AWS.
  const [{ SignatureV4 }, { Sha256 }] = await Promise.all([import("@smithy/signature-v4"), import("@aws-crypto/sha256-js")]);
  const url = new URL(request.url);
  const isS3 = /^s3(-|$)/.test(options.service);
  const signer = new SignatureV4({
    service: options.service,
    region: options.region ?? regionOf(options.service, url.hostname),
    credentials: keys,
    sha256: Sha256,
    // S3 requires the body's hash as a header and signs the path as sent; all other services sign it encoded once more.
    applyChecksum: isS3,
    uriEscapePath: !isS3,
  });
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !SIGNATURE_HEADERS.some((own) => own === name.toLowerCase())),
  );
  const signed = await signer.sign(
    {
      method: request.method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: queryOf(url),
      headers: { ...headers, host: url.host },
      ...defined({ body: request.body }),
    },
    options.date === undefined ? {} : { signingDate: options.date },
  );
  const { host: _host, ...signedHeaders } = signed.headers;
  return { ...request, headers: signedHeaders };
}

/** Services with a single region for the whole world. */
const GLOBAL_SERVICES = new Set(["iam", "cloudfront", "globalaccelerator", "route53", "sts"]);

/** Returns the region in a host name (`sqs.eu-west-1.amazonaws.com`), or us-east-1 if there is none. */
export function regionOf(service: string, hostname: string): string {
  if (GLOBAL_SERVICES.has(service)) return "us-east-1";
  return (
    hostname
      .toLowerCase()
      .split(".")
      .findLast((label) => /^[a-z]{2}(-[a-z]+)+-\d{1,2}$/.test(label)) ?? "us-east-1"
  );
}

function queryOf(url: URL): Record<string, string | string[]> {
  const query: Record<string, string[]> = {};
  for (const [name, value] of url.searchParams) {
    const values = Object.hasOwn(query, name) ? (query[name] ?? []) : [];
    Object.defineProperty(query, name, { value: [...values, value], enumerable: true, configurable: true, writable: true });
  }
  return query;
}
