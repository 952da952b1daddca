import { quote } from "../../../base/quote.ts";
import { errorInSuccess } from "../api-words.ts";
import { diagnosis, http } from "../diagnosis.ts";
import { excerpt } from "../words.ts";

export default diagnosis({
  id: "error-with-success",
  docs: `The API sent an error with a status of success, and no data. Read the error. If it is about the credential, sign in again.`,
  source: "JSON-RPC 2.0, section 5.1; GraphQL, section 7.1; Slack and MediaWiki answer so",
  isGeneral: true,
  examples: [
    {
      exchange: http`
      POST https://api.acme.example/graphql
      authorization: Bearer ••••

      200
      content-type: application/json

      {"errors":[{"message":"Not signed in"}]}`,
      says: "“Not signed in”",
    },
    {
      exchange: http`
      POST https://api.acme.example/graphql
      authorization: Bearer ••••

      200
      content-type: application/json

      {"data":{"me":{"name":"Ann"}}}`,
      silent: true,
    },
  ],
  when({ phase, exchange }) {
    const { status = 0 } = exchange ?? {};
    if (phase !== "resource" || exchange === undefined || status < 200 || status > 299) return undefined;
    const text = errorInSuccess(exchange);
    if (text === undefined) return undefined;
    return {
      reason: `the API sent an error with status ${status}: ${quote(excerpt({ text, status: 400 }, 200))}`,
      advice: "Read the API's error. If it is about the credential, sign in again.",
    };
  },
});
