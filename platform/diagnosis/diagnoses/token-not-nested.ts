import { diagnosis } from "../diagnosis.ts";

export default diagnosis({
  id: "token-not-nested",
  docs: `The access token is at the top level of the answer, and nestedResponseKey names an object. The platform reads the token from that object alone. Remove nestedResponseKey.`,
  source: "auth-spec 5.3",
  examples: [
    {
      phase: "code",
      auth: { type: "OAuth2", nestedResponseKey: "data" },
      tokenResponse: { hasTopLevelToken: true },
      exchange: '200 {"access_token":"••••"}',
      says: "Remove nestedResponseKey",
      field: "nestedResponseKey",
    },
    { phase: "code", auth: { type: "OAuth2", nestedResponseKey: "data" }, tokenResponse: {}, exchange: "200 {}", silent: true },
  ],
  when({ tokenResponse, auth: { nestedResponseKey } }) {
    if (tokenResponse?.hasTopLevelToken !== true || nestedResponseKey === undefined) return undefined;
    return {
      reason: `the token is at the top level of the answer, and nestedResponseKey is ${nestedResponseKey}`,
      advice:
        "Remove nestedResponseKey, and sign in again. The platform reads the token from the object that nestedResponseKey names alone.",
      field: "nestedResponseKey",
    };
  },
});
