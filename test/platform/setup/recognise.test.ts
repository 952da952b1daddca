import assert from "node:assert/strict";
import { recogniseEvidence } from "../../../platform/setup/recognise.ts";

describe("Evidence", () => {
  for (const [text, kind] of [
    ["curl https://api.acme.example", "curl"],
    ["  $ curl.exe -H 'A: b' https://api.acme.example/openapi.json", "curl"],
    ["sudo curl -s https://api.acme.example", "curl"],
    ["PS C:\\> curl https://api.acme.example", "curl"],
    ["C:\\Users\\ada>curl https://api.acme.example", "curl"],
    ["ada@host:~$ curl https://api.acme.example", "curl"],
    ["# Who am I?\ncurl https://api.acme.example", "curl"],
    ["```bash\ncurl https://api.acme.example\n```", "curl"],
    ['export KEY=x\ncurl -H "X-Key: $KEY" https://api.acme.example', "curl"],
    ["KEY=x; curl https://api.acme.example", "curl"],
    ["Here's a request: curl https://api.acme.example", "curl"],
    ["openapi: 3.0.0\nx-sample: curl https://api.acme.example", "openapi"],
    ["npm install curl", undefined],
    ["Invoke-WebRequest -Uri https://api.acme.example", "curl"],
    ['{"openapi":"3.1.0"}', "openapi"],
    ['{\n  "info": {},\n  "swagger": "2.0"\n}', "openapi"],
    [`{"paths":{${'"/a":{},'.repeat(200_000)}"/b":{}},"swagger":"2.0"}`, "openapi"],
    ["# Acme\nopenapi: 3.0.0\ninfo:\n", "openapi"],
    ["swagger: '2.0'", "openapi"],
    ['{"issuer":"https://a.example","token_endpoint":"https://a.example/t"}', "issuer"],
    ["https://a.example/.well-known/openid-configuration", "issuer"],
    ["https://a.example/.well-known/oauth-authorization-server/tenant", "issuer"],
    ["https://a.example/openapi.json", undefined],
    ["https://mcp.a.example/mcp", undefined],
    ["<html><body>openapi</body></html>", undefined],
    ["curly", undefined],
    ["", undefined],
  ] as const)
    it(`the text ${JSON.stringify(text.slice(0, 60))} is recognised as ${kind ?? "nothing"}`, () => {
      assert.equal(recogniseEvidence(text), kind);
    });
});
