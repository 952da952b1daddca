// The words of a command, as bash and cmd.exe read them, but for what its author means as text.
import assert from "node:assert/strict";
import { z } from "zod";
import { curlArguments } from "../../../../platform/setup/curl/words.ts";
import { eachCase } from "../../../support/json-cases.ts";

const wordsCase = z.strictObject({ title: z.string(), command: z.string(), words: z.array(z.string()) });

describe("the words of a cURL command", () => {
  eachCase("setup/cases/curl-words.json", wordsCase, ({ title, command, words }) => {
    it(`${title} is read`, () => assert.deepEqual(curlArguments(command), words));
  });
});
