import assert from "node:assert/strict";
import { z } from "zod";
import { meaningOf } from "../../../platform/requests/request-meaning.ts";
import { eachCase } from "../../support/json-cases.ts";

const form = z.strictObject({
  title: z.string(),
  method: z.string().default("GET"),
  url: z.string(),
  headers: z.record(z.string(), z.string()).default({}),
  /** What a person is shown beside the method. */
  overrides: z.array(z.string()),
  isRead: z.boolean(),
});

describe("What a request asks an API to do", () => {
  eachCase("requests/cases/request-meaning.json", form, ({ title, overrides, isRead, ...request }) =>
    it(title, () => {
      const { method } = request;
      assert.deepEqual(meaningOf(request), { method, overrides, isRead });
    }),
  );
});
