// The reader of a pasted cURL command: each fixture, no secret but in the credential, and any text at all.
import assert from "node:assert/strict";
import fc from "fast-check";
import { z } from "zod";
import { PackAuthError } from "../../../../platform/errors.ts";
import type { SetupOutcome } from "../../../../platform/setup/outcome.ts";
import { readCurl } from "../../../../platform/setup/readers/curl.ts";
import { fieldOf, fieldsOf } from "../../../../spec/auth-types.ts";
import { answering, attempt, CANARY, CURL_FIXTURES, inShort } from "../../../support/curl-fixtures.ts";
import { eachCase } from "../../../support/json-cases.ts";
import { processorTime } from "../../../support/processor-time.ts";
import { partOf } from "../../../support/runs.ts";

const readFixture = (command: string, answers: Readonly<Record<string, string>> = {}) =>
  attempt(() => readCurl(command, answering(answers)));

/** The arguments of a command, by what they hold. */
const commandCase = z.strictObject({ title: z.string(), command: z.string() });

describe("the reader of a cURL command", () => {
  for (const [name, { command, answers, outcome, credential }] of Object.entries(CURL_FIXTURES))
    it(`${name} is read as expected`, async () => {
      const result = await readFixture(command, answers);
      assert.equal(inShort(result), outcome);
      const { kind, ...values } = (!(result instanceof PackAuthError) && result.kind === "proposal" && result.credential) || {
        kind: "none",
      };
      assert.deepEqual(values, credential ?? {}, kind);
      if (!(result instanceof PackAuthError) && result.kind === "proposal") assertWellFormed(result);
    });

  it("no secret is in a proposal, a question or an error", async () => {
    for (const [name, { command, answers }] of Object.entries(CURL_FIXTURES))
      for (const supplied of [answers, {}]) {
        const result = await readFixture(command, supplied);
        const text =
          result instanceof PackAuthError
            ? `${result.message} ${result.hint} ${result.stack} ${JSON.stringify(result)}`
            : JSON.stringify({ ...result, credential: undefined });
        for (const form of [CANARY, Buffer.from(CANARY).toString("base64").slice(4, -4)])
          assert.ok(!text.includes(form), `${name}: ${text}`);
      }
  });
});

describe("a credential at a place of a cURL command that is no part of the configuration", () => {
  eachCase("setup/cases/curl-misplaced-credentials.json", commandCase, ({ title, command }) => {
    it(`${title}: it is in no part of the outcome and in no question`, async () => {
      const questions: unknown[] = [];
      const answer = (question: { readonly id: string; readonly options: readonly { readonly value: string }[] }): string => {
        questions.push(question);
        return question.options.some(({ value }) => value === "yes") ? "yes" : (question.options[0]?.value ?? "");
      };
      const context = { ...answering({ "api-domain": "api.example.com" }), choose: answer };
      const result = await attempt(() => readCurl(`curl ${command}`, context));
      const text =
        result instanceof PackAuthError
          ? `${result.stack} ${result.hint}`
          : JSON.stringify([{ ...result, credential: undefined }, questions]);
      for (const form of [CANARY, Buffer.from(CANARY).toString("base64").slice(4, -4), Buffer.from(`alice:${CANARY}`).toString("base64")])
        assert.ok(!text.includes(form), text);
    });
  });
});

describe("a value of a cURL command that may be secret", () => {
  const url = "https://abc.example.com/v1/orders";
  const key = "-H 'X-Api-Key: abcdefABCDEF0123456789xx'";

  const valueCase = commandCase.extend({ /** What may be nowhere. */ secret: z.string() });
  eachCase("setup/cases/curl-values.json", valueCase, ({ title, command, secret }) => {
    it(`${title}: without an answer it is in no file and no question, and one question asks about all values`, async () => {
      const open = await readFixture(`curl ${command}`);
      const settled = await readFixture(`curl ${command}`, { values: "" });
      assert.ok(!(settled instanceof PackAuthError) && settled.kind === "proposal", inShort(settled));
      assertWellFormed(settled);
      if (!(open instanceof PackAuthError) && open.kind === "question") assert.equal(open.question.id, "values");
      for (const outcome of [open, settled])
        assert.ok(!JSON.stringify({ ...outcome, credential: undefined }).includes(secret), inShort(outcome));
    });
  });

  it("each answer to the question puts the value where it says", async () => {
    const command = `curl ${url} ${key} -H 'X-Pin: 90210733' -H 'X-Tenant: 8d2f5a7e-14bb'`;
    const headers = "MultiHeaderToken headers=";
    for (const [answer, expected] of [
      ["", /^CustomHeaderToken .*X-Pin: <pin> X-Tenant: <tenant>/],
      ["parameter", /X-Pin: <pin> X-Tenant: <tenant>/],
      ["user", new RegExp(`^${headers}.*X-Api-Key.*X-Pin.*X-Tenant.*GET ${url}$`)],
      ["pack", new RegExp(`^${headers}.*X-Pin`)],
      ["constant", /X-Pin: 90210733 X-Tenant: 8d2f5a7e-14bb$/],
      ["1=user, 2=constant", new RegExp(`^${headers}.*X-Pin.*X-Tenant: 8d2f5a7e-14bb$`)],
      ["2=user", new RegExp(`^${headers}.*X-Tenant.*X-Pin: <pin>`)],
    ] as const) {
      const outcome = await readFixture(command, { values: answer });
      assert.match(inShort(outcome), expected, answer);
      assert.ok(!(outcome instanceof PackAuthError) && outcome.kind === "proposal");
      assert.equal(outcome.proposal.scope, answer === "pack" ? "system" : "user");
    }
    for (const answer of ["perhaps", "3=user", "1=perhaps", "user 1=pack", "0=user"])
      assert.equal(inShort(await readFixture(command, { values: answer })), "ask values", answer);
  });

  it("the question lists each value by its place and length", async () => {
    const outcome = await readFixture(`curl ${url} ${key} -H 'X-Pin: 9021' -H 'X-Thing: 9f8e7d6c5b4a3928'`);
    assert.ok(!(outcome instanceof PackAuthError) && outcome.kind === "question");
    assert.match(outcome.question.text, /1\. the header X-Pin \(4 characters\); 2\. the header X-Thing \(16 characters\)/);
  });

  eachCase("setup/cases/curl-values-without-question.json", commandCase, ({ title, command }) => {
    it(`${title}: nothing is asked`, async () => assert.match(inShort(await readFixture(`curl ${command}`)), /^CustomHeaderToken/));
  });
});

describe("a signature over each request", () => {
  const command = "curl https://abc.example.com/v1/orders -H 'X-Api-Key: abcdefABCDEF0123456789xx'";
  const signatureCase = z.strictObject({ arguments: z.string(), isSignature: z.boolean() });
  eachCase("setup/cases/curl-signatures.json", signatureCase, ({ arguments: more, isSignature }) => {
    it(`${more} ${isSignature ? "is said to be impossible" : "is no signature"}`, async () =>
      assert.match(inShort(await readFixture(`${command} ${more}`)), isSignature ? /^impossible signed-request/ : /^ask values$/));
  });
});

/** Checks what all proposals have in common, whatever was pasted. */
function assertWellFormed({ proposal, credential }: Extract<SetupOutcome, { kind: "proposal" }>): void {
  const { type, scope, fields, formula, domains } = proposal;
  for (const { name } of fields) assert.ok(fieldOf(type, scope, name), `${type} has no ${name}`);
  for (const { name, required } of fieldsOf(type, scope))
    if (required === true && name !== "type")
      assert.ok(
        fields.some((field) => field.name === name),
        `${type} needs ${name}`,
      );
  assert.ok(domains.length === 1 || fields.some(({ name }) => name === "requiresEndpointUrl"));
  const named = (fields.find(({ name }) => name === "params" || name === "headers")?.value ?? []) as readonly { readonly name: string }[];
  const names = named.map(({ name }) => name);
  if (formula !== undefined) {
    assert.match(formula.name, /^[A-Z][A-Za-z\d]*$/);
    const { url, headers, body = [] } = formula.request;
    const slots = [url, ...headers.map(({ value }) => value), body].flat().filter((piece) => typeof piece === "object");
    assert.deepEqual(
      [...new Set(slots.flatMap((slot) => ("credential" in slot ? [slot.credential] : [])))].sort(),
      type === "Custom" ? [...names].sort() : [],
    );
    assert.deepEqual(
      new Set(slots.flatMap((slot) => ("parameter" in slot ? [slot.parameter] : []))),
      new Set(formula.parameters.map(({ name }) => name)),
    );
    const [start] = url;
    assert.ok(typeof start === "string" ? start.startsWith(`https://${domains[0]?.domain}`) : start !== undefined && "endpoint" in start);
  }
  if (credential?.kind === "values") assert.deepEqual(Object.keys(credential.values), names);
  assert.ok(!JSON.stringify(proposal).includes("\\u0000"), "a mark is left");
}

describe("the reader of any text", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...'curl -H -d -u -X POST -G -F --json --next --aws-sigv4 https://a.dev/x api.acme.dev \'A: b\' "x" \\ \n $ $A ${ $( ` \' " ^ ^" ^\n & | ; < > <id> {id} # = ? * a=b @f grant_type=password %'.split(
        " ",
      ),
      " ",
      "  ",
      "\r\n",
      "$'\\u0041'",
      "Authorization: Bearer x",
    ),
    fc.string({ unit: "binary", maxLength: 12 }),
  );

  /** Answers each choice with its first option. */
  async function readWithFirstAnswers(command: string): Promise<SetupOutcome | PackAuthError> {
    const answers: Record<string, string> = { "api-domain": "api.acme.dev", values: "" };
    for (;;) {
      const result = await readFixture(command, answers);
      if (result instanceof PackAuthError || result.kind !== "question" || result.question.kind !== "choice") return result;
      assert.ok(!(result.question.id in answers), result.question.id);
      answers[result.question.id] = result.question.options.at(result.question.id === "credential" ? -2 : 0)?.value ?? "";
    }
  }

  it("each text ends in an outcome, a question or an error that is ours", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 25 }), fc.boolean(), async (pieces, isCommand) => {
        const result = await readWithFirstAnswers(`${isCommand ? "curl https://api.acme.dev/a " : ""}${pieces.join(isCommand ? " " : "")}`);
        if (result instanceof PackAuthError) assert.equal(result.code, "evidence-unreadable");
        else if (result.kind === "proposal") assertWellFormed(result);
      }),
      { numRuns: partOf(2_000) },
    );
  });

  const secret = fc
    .string({ unit: fc.constantFrom(...'abcXYZ0189-_.~+/=%&\\"$<>{}: \u00e9'), minLength: 12, maxLength: 40 })
    .map((text) => `a9${text}z`);
  const PLACES: readonly ((value: string) => string)[] = [
    (value) => `-H 'Authorization: Bearer ${value}'`,
    (value) => `-H 'Authorization: Token token="${value}"'`,
    (value) => `-H 'Authorization: ${value}'`,
    (value) => `-H 'X-Api-Key: ${value}'`,
    (value) => `-H 'Authorization: Basic ${Buffer.from(`ada:${value}`).toString("base64")}'`,
    (value) => `-u 'ada:${value}'`,
    (value) => `--oauth2-bearer '${value}'`,
    (value) => `-G --data-urlencode 'api_key=${value}'`,
    (value) => `--url-query 'access_token=${value}'`,
    (value) => `--data-urlencode 'token=x' --data-urlencode 'api_key=${value}'`,
    (value) => `--json '${JSON.stringify({ a: [{ apiKey: value }] })}'`,
    (value) => `-F 'password=${value.replaceAll(/[;<@]/g, "_")}'`,
    (value) => `--aws-sigv4 aws:amz:us-east-1:s3 -u 'AKIA:${value}'`,
    (value) => `-b 'session=${value}'`,
  ];

  const generated = fc
    .string({ unit: fc.constantFrom(..."abcdef0123456789"), minLength: 16, maxLength: 40 })
    .filter((text) => /[a-f]/.test(text) && /\d/.test(text));
  const UNKNOWN: readonly ((value: string) => string)[] = [
    (value) => `-H 'X-Thing: ${value}'`,
    (value) => `-H 'X-Thing: Key ${value}'`,
    (value) => `-G -d 'ref=${value}'`,
    (value) => `--url-query '${value}'`,
    (value) => `--url-query '${value}=1'`,
    (value) => `--json '{"note":["a","${value}"]}'`,
    (value) => `--json '{"${value}":true}'`,
    (value) => `--json '{"note":"see ${value} there",}'`,
    (value) => `-H 'Content-Type: text/xml' -d '<a b="${value}"/>'`,
    (value) => `-F 'note=${value}'`,
    (value) => `-d 'note=a,${value}'`,
  ];

  it("a generated value under any name is in no proposal and no question", async () => {
    await fc.assert(
      fc.asyncProperty(generated, fc.constantFrom(...UNKNOWN), fc.boolean(), async (value, place, isInPath) => {
        const path = isInPath ? value : "items";
        const result = await readWithFirstAnswers(`curl 'https://api.acme.dev/${path}/x' -H 'X-Api-Key: some-key-1234' ${place(value)}`);
        assert.ok(!(result instanceof PackAuthError), inShort(result));
        assert.ok(!JSON.stringify({ ...result, credential: undefined }).includes(value), inShort(result));
      }),
      { numRuns: 300 },
    );
  });

  it("a random secret at any place is in no proposal, question or error", async () => {
    let credentials = 0;
    await fc.assert(
      fc.asyncProperty(secret, fc.constantFrom(...PLACES), async (value, place) => {
        const result = await readWithFirstAnswers(`curl 'https://api.acme.dev/items?page=1' ${place(value)}`);
        if (!(result instanceof PackAuthError) && result.kind === "proposal" && result.credential !== undefined) credentials++;
        const text =
          result instanceof PackAuthError ? `${result.message} ${result.hint}` : JSON.stringify({ ...result, credential: undefined });
        for (const form of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), value.slice(1, 9)])
          assert.ok(!text.includes(form), text);
      }),
      { numRuns: partOf(1_000) },
    );
    assert.ok(credentials > partOf(500), `${credentials}`);
  });

  for (const [name, text] of Object.entries({
    "escaped quotes": "$'\\'".repeat(30_000),
    quotes: `'"`.repeat(45_000),
    variables: "$A".repeat(45_000),
    braces: "{{".repeat(45_000),
    "angle brackets": "<a".repeat(45_000),
    parentheses: "$(".repeat(45_000),
    backslashes: "\\".repeat(90_000),
    carets: `^"`.repeat(45_000),
    spaces: " ".repeat(90_000),
    "line breaks": "\n-".repeat(45_000),
    "ampersands in a URL": "https://a.dev/?".concat("a=1&".repeat(20_000)),
    "slashes in a URL": "https://a.dev".concat("/a1".repeat(30_000)),
    "options of one letter": `-${"s".repeat(90_000)}`,
    headers: "-H a:b ".repeat(12_000),
    JSON: `https://a.dev -d '${"[".repeat(90_000)}'`,
    fields: `https://a.dev -d '${JSON.stringify(Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`k${index}`, "v"])))}'`,
    "a token": `https://a.dev -H 'Authorization: Bearer ${"eyJ.".repeat(20_000)}'`,
  }))
    it(`a long text of ${name} is read in a short time`, async () => {
      const start = processorTime();
      await readFixture(`curl ${text}`);
      await readFixture(`curl https://a.dev -H 'X-Api-Key: ${CANARY}' -d "${text.replaceAll('"', "")}"`);
      assert.ok(processorTime() - start < 4_000);
    });
});
