// Reads the description of an API: OpenAPI 3 or Swagger 2, as JSON or YAML.
import type { Origin, Proposal, ProposedField } from "../../../protocol/setup.ts";
import { PackAuthError } from "../../errors.ts";
import { completeFromPage } from "../complete-from-page.ts";
import type { Configuration } from "../openapi/configuration.ts";
import { readDescriptionApart } from "../openapi/description-apart.ts";
import { isOnEndpoint } from "../openapi/oauth-configuration.ts";
import { findFormulaOperation, findUserOperation, formulaOf, userRequestOf } from "../openapi/proposed-requests.ts";
import { lineOf, shownName, urlOf } from "../openapi/raw.ts";
import { chooseServer } from "../openapi/server-address.ts";
import { configurationOf, obstacleOf } from "../openapi/way-configuration.ts";
import { accepts, type Carrier, type Way, waysOf } from "../openapi/ways.ts";
import type { SetupOutcome } from "../outcome.ts";
import type { EvidenceReader, ReaderContext } from "../reader.ts";

/** Returns the reader. An OpenID Connect scheme names an issuer, whose metadata `readIssuer` reads. */
export const openApiReader =
  (readIssuer: EvidenceReader): EvidenceReader =>
  async (text, context) => {
    const description = await readDescriptionApart(text, context.signal);
    const { ways, problems } = waysOf(description);
    const { way, remarks } = chooseWay(ways, problems, context);
    const obstacle = obstacleOf(way);
    if (obstacle !== undefined) return { kind: "impossible", reason: obstacle.reason, origin: obstacle.origin };
    const server = chooseServer(description.servers, context, (domain, origin) => endpointFields(way, domain, origin, context));
    const accepting = description.operations.filter((operation) => accepts(operation, way.requirements));
    // Some descriptions declare schemes, and no operation demands one.
    const operations = accepting.length > 0 ? accepting : description.operations.filter(({ security }) => security.length === 0);
    const user = way.carriers.length === 0 ? undefined : findUserOperation(operations);
    const callee = findFormulaOperation(operations, user);
    const shared = {
      domains: server.domain === undefined ? [] : [server.domain],
      ...(user === undefined ? {} : { userRequest: userRequestOf(user, server) }),
      ...(callee === undefined ? {} : { formula: formulaOf(callee, server) }),
    };
    const complete = (configuration: Configuration | Proposal): Proposal =>
      completeFromPage({
        ...configuration,
        ...shared,
        fields: [...configuration.fields, ...(configuration.type === "None" ? [] : server.fields)],
        remarks: [...configuration.remarks, ...remarks, ...problems, ...server.remarks],
      });
    const [carrier] = way.carriers;
    if (carrier?.kind === "openIdConnect") {
      const outcome: SetupOutcome = await readIssuer(urlOf(carrier.url, server.url)?.href ?? carrier.url, context);
      return outcome.kind === "proposal" ? { ...outcome, proposal: complete(outcome.proposal) } : outcome;
    }
    const callees = [user, callee].filter((operation) => operation !== undefined);
    return { kind: "proposal", proposal: complete(configurationOf(way, { server, operations, callees }, context)) };
  };

function chooseWay(
  ways: readonly Way[],
  problems: readonly string[],
  context: ReaderContext,
): { readonly way: Way; readonly remarks: readonly string[] } {
  if (ways.length === 0) {
    const answer = context.choose({
      id: "no-security",
      text: "The description names no authentication. Does the API need none?",
      options: [
        { value: "none", label: "It needs none", detail: "Anybody can call the API." },
        { value: "curl", label: "It needs one", detail: "Paste one of the API's requests as cURL instead." },
      ],
    });
    if (answer === "none") return { way: { carriers: [], requirements: new Set([""]) }, remarks: [] };
    throw new PackAuthError("evidence-unreadable", "The description does not say how requests authenticate.", {
      hint: "Copy a request that works as cURL, and set the authentication up from that.",
    });
  }
  const possible = ways.filter((way) => obstacleOf(way) === undefined);
  const [only, another] = possible.length > 0 ? possible : ways.slice(0, 1);
  if (only === undefined) throw new Error("There is no way.");
  const rest = ways.filter((way) => !possible.includes(way)).map((way) => `${labelOf(way)} (${obstacleOf(way)?.origin})`);
  const remark = `The platform cannot do what the description allows besides: ${lineOf([...new Set(rest)].join(", "), 300)}.`;
  if (another === undefined) return { way: only, remarks: possible.length === 0 || rest.length === 0 ? [] : [remark] };
  const answer = context.choose({
    id: "security",
    text: `The description allows several ways to authenticate. Which one does the pack use?${rest.length === 0 ? "" : ` ${remark}`}${problems.map((problem) => ` ${problem}`).join("")}`,
    options: possible.map((way) => ({
      value: answerOf(way),
      label: labelOf(way),
      detail: way.carriers.map(({ origin }) => origin).join(" and ") || "Some requests need no authentication.",
    })),
  });
  return { way: possible.find((way) => answerOf(way) === answer) ?? only, remarks: [] };
}

const answerOf = ({ carriers }: Way): string => carriers.map(({ origin }) => origin).join(" + ") || "none";
const labelOf = ({ carriers }: Way): string => carriers.map(nameOf).join(" and ") || "No authentication";

function nameOf(carrier: Carrier): string {
  switch (carrier.kind) {
    case "bearer":
      return "A bearer token";
    case "basic":
      return "User name and password";
    case "header":
      return `The header ${shownName(carrier.name)}`;
    case "query":
      return `The query parameter ${shownName(carrier.name)}`;
    case "oauth2":
      return carrier.flow.grant === "authorizationCode" ? "OAuth 2.0: the user signs in" : "OAuth 2.0: client credentials";
    case "openIdConnect":
      return "OpenID Connect";
    case "aws":
      return "Signature Version 4 of AWS";
    case "impossible":
      return carrier.reason;
  }
}

/** Returns the fields of an account that has an endpoint, or undefined if all accounts share a host. */
function endpointFields(
  { carriers: [carrier] }: Way,
  domain: string | undefined,
  origin: Origin,
  context: ReaderContext,
): readonly ProposedField[] | undefined {
  const asksUser: readonly ProposedField[] = [
    { name: "requiresEndpointUrl", value: true, origin },
    ...(domain === undefined ? [] : [{ name: "endpointDomain", value: domain, origin }]),
  ];
  const isCode = carrier?.kind === "openIdConnect" || (carrier?.kind === "oauth2" && carrier.flow.grant === "authorizationCode");
  if (carrier === undefined) return undefined;
  if (!isCode || (carrier.kind === "oauth2" && isOnEndpoint(carrier.flow))) return asksUser;
  // The platform does not let users enter an endpoint if the URLs of OAuth are absolute.
  const answer = context.choose({
    id: "endpoint",
    text: "Each account has a host of its own. Where does the pack get it from?",
    options: [
      { value: "token", label: "The token response", detail: "It has a property with the URL, such as instance_url." },
      { value: "host", label: "One host for all accounts", detail: "All users of the pack are at the same host." },
    ],
  });
  if (answer === "host") return undefined;
  const key = context.ask({
    id: "endpoint-key",
    text: "Which property of the token response has the URL of the account's host?",
    example: "instance_url",
    problem: (text) => (/^[\w.-]+$/.test(text) ? undefined : "Enter the name of a property, such as instance_url."),
  });
  return [{ name: "endpointKey", value: key, origin: "your answer about the endpoint" }];
}
