// The reader of a pasted cURL command: each fixture, no secret but in the credential, and any text at all.
import assert from "node:assert/strict";
import fc from "fast-check";
import { PackAuthError } from "../../../../platform/errors.ts";
import type { SetupOutcome } from "../../../../platform/setup/outcome.ts";
import { readCurl } from "../../../../platform/setup/readers/curl.ts";
import { fieldOf, fieldsOf } from "../../../../spec/auth-types.ts";
import { answering, attempt, CANARY, CURL_FIXTURES, inShort } from "../../../support/curl-fixtures.ts";
import { partOf } from "../../../support/runs.ts";

const readFixture = (command: string, answers: Readonly<Record<string, string>> = {}) =>
  attempt(() => readCurl(command, answering(answers)));

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
  const bearer = "-H 'Authorization: Bearer some-token'";
  const json = "-H 'Content-Type: application/json'";
  const signed = "--aws-sigv4 aws:amz:us-east-1:execute-api -u key-of-a-user:secret-of-a-user";
  const url = "https://abc.example.com/x";
  for (const [place, command] of [
    ["a header beside a signature", `${signed} -H 'X-Api-Key: ${CANARY}' ${url}`],
    ["a body beside a signature", `${signed} ${json} -d '{"password":"${CANARY}"}' ${url}`],
    ["a query beside a signature", `'${url}?X-Amz-Credential=key/20260101/us-east-1/s3/aws4_request&api_key=${CANARY}'`],
    ["an XML body", `${bearer} -H 'Content-Type: text/xml' -d '<password>${CANARY}</password>' ${url}`],
    ["a JSON body with a mistake", `${bearer} ${json} -d '{"password":"${CANARY}",}' ${url}`],
    ["a JSON body without its content type", `${bearer} -d '{"password":"${CANARY}",}' ${url}`],
    ["JSON inside a text of JSON", `${bearer} ${json} -d '{"payload":"{\\"password\\":\\"${CANARY}\\"}"}' ${url}`],
    ["a name that is too long", `${bearer} ${json} -d '{"${"x".repeat(210)}_password":"${CANARY}"}' ${url}`],
    ["a name with braces", `${bearer} ${json} -d '{"{a}_password":"${CANARY}"}' ${url}`],
    ["a field pass", `${bearer} ${json} -d '{"pass":"${CANARY}"}' ${url}`],
    ["a field auth", `${bearer} -d 'auth=${CANARY}' ${url}`],
    ["a header of a session", `${bearer} -H 'X-Session: ${CANARY}' ${url}`],
    ["a header that looks ordinary", `${bearer} -H 'Content-Password: ${CANARY}' ${url}`],
    ["a parameter of the path", `${bearer} '${url};token=${CANARY}/y'`],
    ["a parameter without a name", `${bearer} '${url}?${CANARY}'`],
    ["a repetition in Base64", `-u 'alice:${CANARY}' ${json} -d '{"h":"${Buffer.from(`alice:${CANARY}`).toString("base64")}"}' ${url}`],
    ["an account that another header replaces", `${bearer} -u alice:${CANARY} '${url}?note=${CANARY}'`],
    ["a secret beside a placeholder", `-H "Authorization: Bearer $TOKEN" -H 'X-Api-Key: ${CANARY}' '${url}?note=${CANARY}'`],
    ["the resource of a token request", `-d 'grant_type=client_credentials&resource=https://a:${CANARY}@x.example.com/' ${url}`],
    ["the name of a parameter of a token request", `-d 'grant_type=client_credentials&${CANARY}=1' ${url}`],
    ["an option", `--${CANARY} ${url}`],
    ["a range", `${bearer} -r ${CANARY} ${url}`],
  ] as const)
    it(`${place}: it is in no part of the outcome and in no question`, async () => {
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
    const answers: Record<string, string> = { "api-domain": "api.acme.dev" };
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
      const start = performance.now();
      await readFixture(`curl ${text}`);
      await readFixture(`curl https://a.dev -H 'X-Api-Key: ${CANARY}' -d "${text.replaceAll('"', "")}"`);
      assert.ok(performance.now() - start < 4_000);
    });
});
