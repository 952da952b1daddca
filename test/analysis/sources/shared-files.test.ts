// A file that several packs have is judged by all of them.
import assert from "node:assert/strict";
import { HEAD, rules, workspace } from "../../support/workspace.ts";

describe("a file of several packs", () => {
  const shared = "/space/shared.ts";
  const pack = (type: string, more = ""): string =>
    `import { url } from "./shared";\n${HEAD}url;\npack.setUserAuthentication({ type: coda.AuthenticationType.${type}${more} });\n`;
  const KEY = ', params: [{ name: "key", description: "" }]';
  const use = (name: string): string => `export const url = (context) => "{{${name}-" + context.invocationToken + "}}";\n`;

  it("a shared file is accepted when it is right for one pack", () => {
    for (const [a, b] of [
      [pack("Custom", KEY), pack("WebBasic")],
      [
        pack("Custom", KEY),
        pack("Custom", ', params: [{ name: "secret", description: "" }]').replace(
          "url;",
          "url; export const s = (c) => '{{secret-' + c.invocationToken + '}}';",
        ),
      ],
    ]) {
      const { analysis } = workspace({ "/space/a.ts": a ?? "", "/space/b.ts": b ?? "", [shared]: use("key") });
      assert.deepEqual(
        analysis.packsOf(shared).map(({ entry }) => entry),
        ["/space/a.ts", "/space/b.ts"],
      );
      assert.deepEqual(rules(analysis, shared), []);
    }
  });

  it("a problem of every pack is reported once", () => {
    const { analysis } = workspace({ "/space/a.ts": pack("Custom", KEY), "/space/b.ts": pack("Custom", KEY), [shared]: use("keyy") });
    assert.deepEqual(rules(analysis, shared), ["placeholder-undeclared"]);
  });

  it("a shared configuration is flagged when it is wrong for one pack", () => {
    const entry = (domains: string): string =>
      `import * as coda from "@codahq/packs-sdk";\nimport { AUTH } from "./shared";\nexport const pack = coda.newPack();\npack.addNetworkDomain(${domains});\npack.setUserAuthentication(AUTH);\n`;
    const { analysis } = workspace({
      "/space/a.ts": entry(`"example.com"`),
      "/space/b.ts": entry(`"example.com", "example.org"`),
      [shared]: `import * as coda from "@codahq/packs-sdk";\nexport const AUTH = { type: coda.AuthenticationType.WebBasic };\n`,
    });
    assert.deepEqual(rules(analysis, shared), ["network-domain-choice"]);
  });
});
