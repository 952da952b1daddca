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

describe("a value of a cURL command that may be secret", () => {
  const url = "https://abc.example.com/v1/orders";
  const key = "-H 'X-Api-Key: abcdefABCDEF0123456789xx'";
  const json = "-H 'Content-Type: application/json' -d";

  /** By what the value is: the command, and what may be nowhere. */
  const OPEN: Readonly<Record<string, readonly [command: string, secret: string]>> = {
    "a header with the name of a PIN": [`${url} ${key} -H 'X-Pin: 90210733'`, "90210733"],
    "a header with the name of a one-time password": [`${url} ${key} -H 'X-Acme-TOTP: 493021'`, "493021"],
    "a header with the name of a passphrase beside a token": [`${url} ${key} -H 'ACME-PASSPHRASE: opensesame'`, "opensesame"],
    "a header whose name has no marks between words": [`${url} ${key} -H 'x-userpin: 4711'`, "4711"],
    "a header with a number behind its name": [`${url} ${key} -H 'X-Pin-2: 4711'`, "4711"],
    "a parameter of a media type": [`${url} ${key} ${json} '{}' -H 'Accept: application/json; ref=9f8e7d6c5b4a3928'`, "9f8e7d6c"],
    "a tag of a resource": [`${url} ${key} -H 'If-Match: "9f8e7d6c5b4a3928"'`, "9f8e7d6c"],
    "a header with an unknown name": [`${url} ${key} -H 'X-Acme-Thing: 9f8e7d6c5b4a39281706f5e4d3c2b1a0'`, "9f8e7d6c5b4a"],
    "a header with a licence in groups": [`${url} ${key} -H 'X-Plan: LIC-9F3A-77B1-C0DE-4412'`, "9F3A"],
    "a header with a tenant": [`${url} ${key} -H 'X-Tenant: 8d2f5a7e-14bb-4d0e-9a47-1dd0b7c0e3d1'`, "14bb"],
    "a header with the name of a seal": [`${url} ${key} -H 'X-Seal: redbird'`, "redbird"],
    "a header that is there twice": [`${url} ${key} -H 'X-Tag: open' -H 'X-Tag: 9f8e7d6c5b4a3928'`, "9f8e7d6c"],
    "a password with signs in a header": [`${url} ${key} -H 'X-Gate: tr0ub4dor&3xyz'`, "tr0ub4dor"],
    "an opaque value in the query": [`'${url}?ref=9f8e7d6c5b4a39281706' ${key}`, "9f8e7d6c"],
    "a signature without a time in the query": [`'${url}?sv=1.0&sig=Zk3v9QmT7bXw2LrY8sHd' ${key}`, "Zk3v9QmT"],
    "a query without a name": [`'${url}?9f8e7d6c5b4a39281706' ${key}`, "9f8e7d6c"],
    "an opaque part of the path": [`https://abc.example.com/hooks/9f8e7d6c5b4a39281706f5e4/send ${key}`, "9f8e7d6c"],
    "a parameter of the path": [`'${url};pin=90210733' ${key}`, "90210733"],
    "a number in JSON under the name of a PIN": [`${url} ${key} ${json} '{"card":{"pin":90210733},"order":5}'`, "90210733"],
    "a text in JSON under the name of a passphrase": [`${url} ${key} ${json} '{"passphrase":"opensesame","order":5}'`, "opensesame"],
    "JSON with a mistake": [`${url} ${key} ${json} '{"pin":"90210733",}'`, "90210733"],
    "JSON inside JSON": [`${url} ${key} ${json} '{"data":"{\\"pin\\":\\"90210733\\"}"}'`, "90210733"],
    XML: [`${url} ${key} -H 'Content-Type: text/xml' -d '<login><otp>493021</otp></login>'`, "493021"],
    "a name of JSON that is opaque": [`${url} ${key} ${json} '{"9f8e7d6c5b4a39281706":true}'`, "9f8e7d6c"],
    "a name of the query that is opaque": [`'${url}?9f8e7d6c5b4a39281706=1' ${key}`, "9f8e7d6c"],
    "a field of a form": [`${url} ${key} -F name=a -F 'ticket=ab12cd34'`, "ab12cd34"],
    "many opaque values": [
      `${url} ${key} ${json} '${JSON.stringify({ ids: Array.from({ length: 30 }, (_, at) => `9f8e7d6c5b4a${at}`) })}'`,
      "9f8e7d6c",
    ],
    "a header beside a signature of AWS": [
      `--aws-sigv4 aws:amz:us-east-1:execute-api -u key:secret-of-a-user -H 'X-Pin: 90210733' ${url}`,
      "90210733",
    ],
    "an opaque value and a credential in the body": [
      `${url} ${json} '{"api_key":"abcdefABCDEF0123456789xx","device":"9f8e7d6c5b4a39281706"}'`,
      "9f8e7d6c",
    ],
  };

  for (const [name, [command, secret]] of Object.entries(OPEN))
    it(`${name}: without an answer it is in no file and no question, and one question asks about all values`, async () => {
      const open = await readFixture(`curl ${command}`);
      const settled = await readFixture(`curl ${command}`, { values: "" });
      assert.ok(!(settled instanceof PackAuthError) && settled.kind === "proposal", inShort(settled));
      assertWellFormed(settled);
      if (!(open instanceof PackAuthError) && open.kind === "question") assert.equal(open.question.id, "values");
      for (const outcome of [open, settled])
        assert.ok(!JSON.stringify({ ...outcome, credential: undefined }).includes(secret), inShort(outcome));
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

  for (const [name, command] of Object.entries({
    "words, numbers, dates, versions and lists": `'${url}?state=open&per_page=5&since=2026-01-01T00:00:00Z&fields=name,status&q=a%20b' -H 'X-Version: 2024-10-15' -H 'Prefer: x'`,
    "media types": `${url} -H 'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' -H 'Content-Type: multipart/form-data; boundary=----Boundary7MA4YWxkTrZu0gW'`,
    "a header of a page": `${url} -H 'X-Page-Token: first'`,
    "names of files and issues": `https://abc.example.com/v1beta1/repos/octo/ABC-12/cat.jpg`,
    "what a browser sends": `${url} -H 'sec-ch-ua: "Chromium";v="131"' -H 'user-agent: Mozilla/5.0' -H 'x-request-id: 8d2f5a7e-14bb' -H 'sentry-trace: 9f8e7d6c5b4a3928' -H 'X-Requested-With: XMLHttpRequest'`,
    "a text": `${url} ${json} '{"query":"query($id: ID!) { node(id: $id) { id } }","text":"Hello, world!","active":true}'`,
    "a placeholder": `'${url}?since={since}' -H 'X-Trace: {{trace}}'`,
  }))
    it(`${name}: nothing is asked`, async () => assert.match(inShort(await readFixture(`curl ${command} ${key}`)), /^CustomHeaderToken/));
});

describe("a signature over each request", () => {
  const command = "curl https://abc.example.com/v1/orders -H 'X-Api-Key: abcdefABCDEF0123456789xx'";
  for (const more of [
    "-H 'API-Sign: cGxhY2Vob2xkZXItc2lnbmF0dXJl'",
    "-H 'CB-ACCESS-SIGN: 8f14e45fceea167a5a36dedd4bea2543'",
    '-H "OK-ACCESS-SIGN: $SIGN"',
    "-H 'X-Acme-Signature: abc'",
    "-H 'X-Auth-Hash: 5d41402abc4b2a76b9719d911017c592' -H 'X-Auth-Time: 1732846000'",
    "-H 'X-Mac: 5d41402abc4b2a76b9719d911017c592' -H 'X-Nonce: 12345'",
    '-H \'Content-Type: application/json\' -d \'{"sign":"5d41402abc4b2a76b9719d911017c592","timestamp":1732846000}\'',
    "-d 'timestamp=1732846000&signature=5d41402abc4b2a76b9719d911017c592'",
  ])
    it(`${more} is said to be impossible`, async () =>
      assert.match(inShort(await readFixture(`${command} ${more}`)), /^impossible signed-request/));

  for (const more of ["-H 'X-Star-Sign: leo'", "-d 'sign=leo'", "-H 'Content-Type: application/json' -d '{\"hash\":\"x\"}'"])
    it(`${more} is no signature`, async () => assert.equal(inShort(await readFixture(`${command} ${more}`)), "ask values"));
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
      const start = performance.now();
      await readFixture(`curl ${text}`);
      await readFixture(`curl https://a.dev -H 'X-Api-Key: ${CANARY}' -d "${text.replaceAll('"', "")}"`);
      assert.ok(performance.now() - start < 4_000);
    });
});
