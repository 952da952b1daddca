// Every published form of a token is found in a literal, and nothing that people write in its place.
import assert from "node:assert/strict";
import { SECRET_FORMATS } from "../../../spec/secret-formats.ts";
import { createRandom } from "../../fuzz/random.ts";
import { analyse } from "../../support/analyse.ts";

const { int } = createRandom(1);
const draw = (alphabet: string, length: number): string => Array.from({ length }, () => alphabet[int(alphabet.length)]).join("");
const WORD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const HEX = "0123456789abcdef";
const DIGITS = "0123456789";

/** One of each, made here so that no scanner of sources takes the file for a leak. */
const SAMPLES: Readonly<Record<string, () => string>> = {
  "GitHub token": () => `gho_${draw(WORD, 36)}`,
  "GitHub fine-grained token": () => `github_pat_${draw(WORD, 22)}_${draw(WORD, 59)}`,
  "GitLab token": () => `glpat-${draw(WORD, 20)}`,
  "Slack token": () => `xoxb-${draw(DIGITS, 12)}-${draw(DIGITS, 13)}-${draw(WORD, 24)}`,
  "Slack app-level token": () => `xapp-1-A${draw("ABCDEFGH0123", 10)}-${draw(DIGITS, 13)}-${draw(HEX, 64)}`,
  "Stripe live key": () => `sk_live_${draw(WORD, 24)}`,
  "AWS access key": () => `AKIA${draw("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)}`,
  "Google API key": () => `AIza${draw(WORD, 35)}`,
  "Google OAuth access token": () => `ya29.${draw(WORD, 60)}`,
  "Google OAuth client secret": () => `GOCSPX-${draw(WORD, 28)}`,
  "SendGrid API key": () => `SG.${draw(WORD, 22)}.${draw(WORD, 43)}`,
  "npm token": () => `npm_${draw(WORD, 36)}`,
  "Shopify token": () => `shpat_${draw(HEX, 32)}`,
  "OpenAI key": () => `sk-proj-${draw(WORD, 20)}T3BlbkFJ${draw(WORD, 20)}`,
  "Anthropic key": () => `sk-ant-api03-${draw(WORD, 93)}AA`,
  "Airtable token": () => `pat${draw(WORD, 14)}.${draw(HEX, 64)}`,
  "DigitalOcean token": () => `dop_v1_${draw(HEX, 64)}`,
  "JSON Web Token": () => `eyJ${draw(WORD, 17)}.eyJ${draw(WORD, 40)}.${draw(WORD, 43)}`,
};

function flaggedTexts(literal: string): readonly string[] {
  const file = "/pack/pack.ts";
  const text = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\nexport const value = ${literal};\n`;
  return analyse({ [file]: text })
    .diagnostics(file)
    .filter(({ rule }) => rule === "credential-in-source")
    .map(({ place }) => text.slice(place.start, place.end));
}

describe("credentials in sources", () => {
  it("every secret format has a sample", () => {
    assert.deepEqual(
      SECRET_FORMATS.map(({ name }) => name),
      Object.keys(SAMPLES),
    );
  });
  for (const [name, make] of Object.entries(SAMPLES)) {
    it(`${name} is found anywhere in strings and templates, not in comments or longer words`, () => {
      const token = make();
      assert.deepEqual(flaggedTexts(`"${token}"`), [token]);
      assert.deepEqual(flaggedTexts(`\`Bearer ${token} \${1}\``), [token]);
      assert.deepEqual(flaggedTexts(`[\`\${1}key=${token}\`, '${token}']`), [token, token]);
      assert.deepEqual(flaggedTexts(`"" // ${token}`), []);
      assert.deepEqual(flaggedTexts(`"a${token}"`), []);
      assert.deepEqual(flaggedTexts(`"a-${token}"`), []);
      assert.deepEqual(flaggedTexts(`"${token.slice(0, 12)}"`), []);
      // The same form, filled in as people fill in a form.
      const letters = token.replaceAll(/[A-Za-z0-9]/g, (char, at: number) => (at < 4 ? char : "x"));
      assert.deepEqual(flaggedTexts(`"${letters}"`), []);
    });
  }

  const head = (kind = ""): string => `-----BEGIN ${kind}${"PRIVATE"} KEY-----`;
  const key = (): string => `MII${draw(WORD, 61)}`;
  it("a private key of any kind is found, up to the end of its first line", () => {
    for (const kind of ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
      for (const end of ["\\n", "\\r\\n", "\n"]) {
        const start = `${head(kind)}${end}${key()}`;
        assert.deepEqual(flaggedTexts(`\`${start}${end}${key()}${end}-----END ${kind}PRIVATE KEY-----\``), [start]);
      }
    const start = `${head()}\\n${key()}`;
    assert.deepEqual(flaggedTexts(`{ private_key: "${start}\\n" }`), [start]);
    assert.deepEqual(flaggedTexts(`Buffer.from('${start}')`), [start]);
  });
  it("a key that is searched for, removed or filled in is not flagged", () => {
    for (const text of [
      `"${head()}"`,
      `key.replace("${head()}", "").replace("-----END PRIVATE KEY-----", "")`,
      `\`${head()}\\n\${process.env.KEY}\\n-----END PRIVATE KEY-----\``,
      `"${head()}\\n...\\n-----END PRIVATE KEY-----"`,
      `"${head()}\\n${"x".repeat(64)}\\n"`,
      `"${head()}\\nYOUR_KEY\\n"`,
      `"-----BEGIN PUBLIC KEY-----\\n${key()}\\n"`,
      `"-----BEGIN CERTIFICATE-----\\n${key()}\\n"`,
      `"a${head()}\\n" // ${head()} ${key()}`,
    ])
      assert.deepEqual(flaggedTexts(text), [], text);
  });

  const basic = (header: string): readonly string[] =>
    flaggedTexts(
      `1;\nconst USER = "kim";\nconst PASSWORD = "correct horse";\nexport const get = (context, user) => context.fetcher.fetch({ method: "GET", url: "https://acme.example/", headers: { Authorization: ${header} } })`,
    );

  for (const header of [
    '`Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString("base64")}`',
    '"Basic " + Buffer.from(USER + ":" + PASSWORD, "utf8").toString("base64")',
    '"Basic " + btoa("kim:correct horse")',
    '"Basic a2ltOmNvcnJlY3QgaG9yc2U="',
    '"Basic " + btoa("q7Zr2Lx9Kd4Wm8Tb:")',
  ])
    it(`a literal user name and password are flagged: ${header}`, () => assert.deepEqual(basic(header), [header]));

  for (const header of [
    '`Basic ${Buffer.from(`${user}:${PASSWORD}`).toString("base64")}`',
    '"Basic " + btoa("YOUR_USER:YOUR_PASSWORD")',
    '"Basic " + btoa(`{{user-${context.invocationToken}}}:x`)',
    '"Basic " + btoa(":")',
    '"Basic " + btoa("kim:")',
    '"Basic " + btoa("anonymous:kim@acme.example")',
    '"Basic " + Buffer.from("6b696d3a31323334", "hex").toString("base64")',
  ])
    it(`an unknown or sample pair is not flagged: ${header}`, () => assert.deepEqual(basic(header), []));
});
