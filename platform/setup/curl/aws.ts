// Requests that are signed with AWS Signature Version 4: by an option of curl, with a header, or with parameters of the query.

import type { ProposedField } from "../../../protocol/setup.ts";
import type { Credential } from "../../secrets/credential.ts";
import { askAwsService } from "../proposal-parts.ts";
import type { ReaderContext } from "../reader.ts";
import { unreadable } from "../unreadable.ts";
import type { CurlCommand } from "./command.ts";
import { isPlaceholder } from "./placeholders.ts";
import type { CurlRequest } from "./request.ts";

interface AwsAuthentication {
  readonly type: "AWSAccessKey";
  readonly typeOrigin: string;
  readonly fields: readonly ProposedField[];
  readonly credential?: Credential;
  readonly parts: readonly [];
  /** The request without its signature. */
  readonly request: CurlRequest;
}

/** Returns the authentication of a signed request, or undefined for another request. */
export function readAws(command: CurlCommand, request: CurlRequest, context: ReaderContext): AwsAuthentication | undefined {
  const header = request.headers.find(({ name, value }) => /^authorization$/i.test(name) && /^AWS4-HMAC-SHA256 /i.test(value))?.value;
  const parameter = request.query.find(({ name }) => /^x-amz-credential$/i.test(name))?.value;
  if (command.aws === undefined && header === undefined && parameter === undefined) return undefined;
  if (command.aws !== undefined && !/^aws(?::|$)/i.test(command.aws))
    throw unreadable(
      "The option --aws-sigv4 names a provider other than AWS, whose signatures the platform does not make.",
      "Use an API of AWS, or one with a key.",
    );
  const place =
    command.aws !== undefined
      ? "the option --aws-sigv4"
      : header !== undefined
        ? "the header Authorization"
        : "the query parameter X-Amz-Credential";
  const typeOrigin = `${place} of the cURL command`;
  const [, region, service] = scopeOf(command.aws, header ?? parameter) ?? hostScope(request.domain) ?? [];
  const hasService = service !== undefined && /^[\w-]{1,60}$/.test(service);
  const answer = hasService ? service : askAwsService(context);
  const credential = command.aws === undefined ? undefined : credentialOf(request, region);
  return {
    type: "AWSAccessKey",
    typeOrigin,
    fields: [{ name: "service", value: answer, origin: hasService ? typeOrigin : "your answer" }],
    ...(credential === undefined ? {} : { credential }),
    parts: [],
    request: {
      ...request,
      headers: request.headers.filter(({ name }) => !/^authorization$/i.test(name)),
      query: request.query.filter(({ name }) => !/^x-amz-/i.test(name)),
    },
  };
}

/** Returns `[, region, service]` of `aws:amz:region:service`, or of `Credential=key/date/region/service/aws4_request`. */
function scopeOf(option: string | undefined, signed: string | undefined): readonly (string | undefined)[] | undefined {
  if (option !== undefined) {
    const [, , region, service] = option.split(":");
    return service === undefined ? undefined : ["", region, service];
  }
  return /\/\d{8}\/([\w-]{1,60})\/([\w-]{1,60})\/aws4_request/.exec(signed ?? "") ?? undefined;
}

/** Returns `[, region, service]` of a host such as `sts.us-east-1.amazonaws.com`, as curl does. */
const hostScope = (host: string | undefined): readonly string[] | undefined => {
  const [, service = "", region = ""] = /^([a-z\d-]{1,60})\.([a-z]{2}-[a-z]{1,20}-\d)\.amazonaws\.com$/.exec(host ?? "") ?? [];
  return service === "" ? undefined : ["", region, service];
};

function credentialOf({ user = "", headers }: CurlRequest, region: string | undefined): Credential | undefined {
  const [accessKeyId = "", ...rest] = user.split(":");
  const secretAccessKey = rest.join(":");
  if (isPlaceholder(accessKeyId) || isPlaceholder(secretAccessKey)) return undefined;
  const sessionToken = headers.find(({ name }) => /^x-amz-security-token$/i.test(name))?.value;
  return {
    kind: "aws",
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined || isPlaceholder(sessionToken) ? {} : { sessionToken }),
    ...(region === undefined || region === "" ? {} : { region }),
  };
}
