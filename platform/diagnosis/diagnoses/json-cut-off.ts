import { isHalfJson } from "../api-words.ts";
import { diagnosis, http } from "../diagnosis.ts";

export default diagnosis({
  id: "json-cut-off",
  docs: `The answer ends in the middle of its JSON, so the pack got it as text. Try again. If this happens again, look for the cause at the API or at a proxy before it.`,
  source: "RFC 8259, section 2",
  isGeneral: true,
  examples: [
    {
      exchange: http`
      200
      content-type: application/json

      {"name":"An`,
      says: "the answer ends in the middle of its JSON",
    },
    {
      exchange: http`
      200
      content-type: application/json

      {"name":"Ann"}`,
      silent: true,
    },
  ],
  fits: ({ phase, exchange }) => phase === "resource" && exchange?.status !== undefined && exchange.status < 400 && isHalfJson(exchange),
  cause: {
    reason: "the answer ends in the middle of its JSON, so the pack got it as text",
    advice: "Try again. If this happens again, look for the cause at the API or at a proxy before it.",
  },
});
