// The sandbox as AWS. It checks Signature Version 4 by signing the request again with the same keys, and issues sessions for a role.
import type { ServerResponse } from "node:http";
import { type AwsKeys, signRequest } from "../aws/sign-request.ts";
import type { ApiRequest } from "./api-request.ts";

/** The largest difference between the signature's time and now, in minutes, as at AWS. */
const FRESH = 15;

/** Returns why the signature does not match the keys, or undefined if it matches. */
export async function signatureProblem(request: ApiRequest, service: string, keys: AwsKeys): Promise<string | undefined> {
  const header = String(request.headers.authorization ?? "");
  const [, accessKeyId, region = "", ofService, names = "", signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      header,
    ) ?? [];
  if (accessKeyId === undefined) return "the Authorization header has no AWS Signature Version 4";
  if (accessKeyId !== keys.accessKeyId) return "the access key ID is not the account's";
  if (ofService !== service) return `the request is signed for the service ${ofService} and not for ${service}`;
  const time = String(request.headers["x-amz-date"] ?? "");
  const date = new Date(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  // The negated comparison also rejects an invalid date, whose difference is NaN.
  if (!(Math.abs(Date.now() - date.getTime()) <= FRESH * 60_000)) return "the time of the signature is not the present";
  if (keys.sessionToken !== undefined && request.headers["x-amz-security-token"] !== keys.sessionToken)
    return "the session token of the role is missing";
  const headers = Object.fromEntries(
    names
      .split(";")
      .filter((name) => name !== "host")
      .map((name) => [name, String(request.headers[name] ?? "")]),
  );
  const again = await signRequest(
    { method: request.method, url: request.url.href, headers, ...(request.body === "" ? {} : { body: request.body }) },
    keys,
    { service, region, date },
  );
  return again.headers.authorization?.endsWith(`Signature=${signature}`) ? undefined : "the signature does not fit the request";
}

/** Lifetime of a session in seconds. */
const SESSION = 3_600;

/** Answers the Security Token Service's AssumeRole, as its API reference describes it. */
export async function respondToSts(
  request: ApiRequest,
  response: ServerResponse,
  user: AwsKeys & { readonly roleArn?: string },
  session: AwsKeys,
): Promise<void> {
  const problem = await signatureProblem(request, "sts", user);
  const form = new URLSearchParams(request.body);
  if (problem !== undefined) return sendError(response, 403, "SignatureDoesNotMatch", `The sandbox refused: ${problem}.`);
  if (form.get("Action") !== "AssumeRole") return sendError(response, 400, "InvalidAction", "The sandbox knows AssumeRole only.");
  if (form.get("RoleArn") !== user.roleArn) return sendError(response, 403, "AccessDenied", "The sandbox's user may not assume this role.");
  const expiration = new Date(Date.now() + SESSION * 1_000).toISOString();
  response
    .writeHead(200, { "content-type": "text/xml" })
    .end(
      `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials><AccessKeyId>${session.accessKeyId}</AccessKeyId><SecretAccessKey>${session.secretAccessKey}</SecretAccessKey><SessionToken>${session.sessionToken}</SessionToken><Expiration>${expiration}</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`,
    );
}

function sendError(response: ServerResponse, status: number, code: string, message: string): void {
  response
    .writeHead(status, { "content-type": "text/xml" })
    .end(`<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`);
}
