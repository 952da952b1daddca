import { diagnosis } from "../diagnosis.ts";

export default diagnosis({
  id: "token-response-too-large",
  docs: `The token endpoint answered with more than is read, or with a token that is longer than requests may carry. Check tokenUrl.`,
  source: "platform/oauth/token-response.ts",
  examples: [
    {
      phase: "code",
      tokenResponse: { isTooLarge: true },
      exchange: "200",
      says: "tokenUrl answered with more than 1 MB",
      field: "tokenUrl",
    },
    { phase: "code", exchange: '400 {"error":"invalid_grant"}', silent: true },
  ],
  fits: ({ tokenResponse }) => tokenResponse?.isTooLarge === true,
  cause: {
    reason: "tokenUrl answered with more than 1 MB, or with a token that is too long",
    advice: "Check tokenUrl. A token has at most 16,384 characters, with few special characters.",
    field: "tokenUrl",
  },
});
