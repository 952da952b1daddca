// A name of a URL's parameter with the signs around it: the platform writes those itself.
import assert from "node:assert/strict";
import { split } from "../support/analyse.ts";
import { fixesOf, flaggedBy, oauth, packOf } from "../support/flagged.ts";
import { problemsOf } from "../support/judged.ts";
import { staySilent } from "../support/traps.ts";

const query = (name: string, before = ""): string =>
  packOf(`${before}pack.setUserAuthentication({ type: coda.AuthenticationType.QueryParamToken, paramName: ${name} });`);

const WRONG: Readonly<Record<string, readonly [source: string, flaggedText: string, corrected?: string]>> = {
  "all of them": [query('"?api_key="'), '"?api_key="', '"api_key"'],
  "at the beginning": [query("'&key'"), "'&key'", "'key'"],
  "at the end": [query('"key="'), '"key="', '"key"'],
  "with a space": [query('"key= "'), '"key= "', '"key"'],
  "behind a constant": [query("NAME", 'const NAME = "?key";\n'), "NAME"],
  "of one of several": [
    packOf(
      'pack.setSystemAuthentication({ type: coda.AuthenticationType.MultiQueryParamToken, params: [{ name: "id", description: "Id" }, { name: "key=", description: "Key" }] });',
    ),
    '"key="',
    '"key"',
  ],
  "of a token": [oauth('tokenQueryParam: "?access_token="'), '"?access_token="', '"access_token"'],
  "in JavaScript": [
    '// @file: pack.js\nconst coda = require("@codahq/packs-sdk");\nconst pack = coda.newPack();\nmodule.exports = { pack };\npack.addNetworkDomain("acme.example");\npack.setUserAuthentication({ type: coda.AuthenticationType.QueryParamToken, paramName: "key=" });\n',
    '"key="',
  ],
};

describe("a URL parameter's name with signs around it", function () {
  this.timeout(60_000);
  for (const [name, [source, flaggedText, corrected]] of Object.entries(WRONG)) {
    it(`the signs are flagged: ${name}`, async () => {
      assert.deepEqual(flaggedBy("param-name-invalid", source), [`warning ${flaggedText}`]);
      assert.deepEqual(await problemsOf(split(source)), []);
    });
    if (corrected !== undefined)
      it(`the fix removes the signs: ${name}`, () => {
        assert.deepEqual(Object.values(fixesOf(source, "param-name-invalid")), [source.replace(flaggedText, corrected)]);
      });
  }
});

staySilent("names of parameters", {
  "a name": query('"api_key"'),
  "in brackets": query('"filter[key]"'),
  "one that is not known": query("process.env.NAME"),
  "a sign inside": query('"a=b"'),
  "nothing but signs": packOf('pack.setUserAuthentication({ type: coda.AuthenticationType.QueryParamToken, paramName: "?=" });'),
  "a token's": oauth('tokenQueryParam: "access_token"'),
});
