import { diagnosis } from "../diagnosis.ts";

export default diagnosis({
  id: "token-response-empty",
  docs: `The token endpoint answered with nothing. Check tokenUrl.`,
  source: "RFC 6749, section 5.1",
  examples: [
    { phase: "code", tokenResponse: {}, exchange: "204", says: "tokenUrl answered with status 204 and nothing else", field: "tokenUrl" },
    { phase: "code", exchange: '400 {"error":"invalid_grant"}', silent: true },
  ],
  when({ tokenResponse, exchange }) {
    if (tokenResponse === undefined || exchange?.status === undefined || exchange.responseBody !== "") return undefined;
    return { reason: `tokenUrl answered with status ${exchange.status} and nothing else`, advice: "Check tokenUrl.", field: "tokenUrl" };
  },
});
