import { diagnosis } from "../diagnosis.ts";

export default diagnosis({
  id: "token-in-nested-object",
  docs: `The access token is in an object of the answer, and nestedResponseKey does not name that object. Set nestedResponseKey to its name.`,
  source: "auth-spec 5.3; Slack answers with authed_user",
  examples: [
    {
      phase: "code",
      auth: { type: "OAuth2" },
      tokenResponse: { tokenIn: "authed_user" },
      exchange: '200 {"authed_user":{}}',
      says: 'Set nestedResponseKey: "authed_user"',
      field: "nestedResponseKey",
    },
    { phase: "code", tokenResponse: {}, exchange: "200 {}", silent: true },
  ],
  when({ tokenResponse, auth: { nestedResponseKey } }) {
    const object = tokenResponse?.tokenIn;
    if (object === undefined || object.length > LONGEST_NAME) return undefined;
    const now = nestedResponseKey === undefined ? "nestedResponseKey does not name it" : `nestedResponseKey is ${nestedResponseKey}`;
    return {
      reason: `the token is in the object ${JSON.stringify(object)} of the answer, and ${now}`,
      advice: `Set nestedResponseKey: ${JSON.stringify(object)}, and sign in again.`,
      field: "nestedResponseKey",
    };
  },
});

/** Characters of a name that a message shows. */
const LONGEST_NAME = 100;
