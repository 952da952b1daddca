// Network domains, and requests to others.
import { isSpread, type Mistakes, over, spanOf, withField } from "./mistake.ts";

export const domainMistakes: Mistakes = function* ({ setters, domains, fetches }, text) {
  const [setter] = setters;
  const [domain] = domains;
  if (setter === undefined || domain === undefined || domains.length !== 1 || isSpread(setter)) return;
  const { literal, statement } = domain;
  const needsDomain = setter.field("requiresEndpointUrl") === undefined || setter.field("endpointDomain") !== undefined;
  if (needsDomain) {
    const edit = { ...spanOf(statement), text: "" };
    yield { mistake: "no network domain", rules: ["network-domain-missing"], edit, on: setters.map(({ call }) => call) };
  }
  yield {
    mistake: "scheme in a network domain",
    rules: ["network-domain-form"],
    edit: over(literal, JSON.stringify(`https://${literal.text}`)),
  };
  yield { mistake: "path in a network domain", rules: ["network-domain-form"], edit: over(literal, JSON.stringify(`${literal.text}/v1`)) };
  yield {
    mistake: "wildcard in a network domain",
    rules: ["network-domain-form"],
    edit: over(literal, JSON.stringify(`*.${literal.text}`)),
  };
  yield { mistake: "empty network domain", rules: ["network-domain-form"], edit: over(literal, '""') };
  yield {
    mistake: "a placeholder in a network domain",
    rules: ["network-domain-form"],
    edit: over(literal, JSON.stringify(`{tenant}.${literal.text}`)),
  };
  yield { mistake: "an IP address as network domain", rules: ["network-domain-form"], edit: over(literal, '"10.0.0.5"') };
  yield { mistake: "network domain left out", rules: ["network-domain-form"], edit: over(literal, ""), on: [statement] };
  yield { mistake: "a number as network domain", rules: ["network-domain-form"], edit: over(literal, "42") };
  if (setter.field("networkDomain") === undefined) {
    const edit = { start: statement.end, end: statement.end, text: `\n${statement.getText().replace(literal.getText(), '"other.org"')}` };
    yield {
      mistake: "two domains, none chosen",
      rules: ["network-domain-choice", "coda-token-domain"],
      edit,
      on: [statement, ...setters.map(({ call }) => call)],
    };
    yield {
      mistake: "chosen domain that is not declared",
      rules: ["network-domain-unmatched"],
      edit: withField(setter.object, `networkDomain: "api.${literal.text}"`),
    };
  }
  for (const { url } of fetches) {
    if (url === undefined || !url.text.startsWith("https://")) continue;
    yield {
      mistake: "another host fetched",
      rules: ["fetch-host-undeclared"],
      edit: over(url, url.getText().replace(/https:\/\/[^/"'?]+/, "https://api.undeclared.org")),
    };
    yield {
      mistake: "a host that only ends alike",
      rules: ["fetch-host-undeclared"],
      edit: over(url, url.getText().replace(/https:\/\/[^/"'?]+/, `https://not${literal.text}`)),
    };
    if (new URL(url.text.replace(/[{}]/g, "")).host.endsWith(literal.text) && !/requiresEndpointUrl|endpointKey|postSetup/.test(text))
      yield { mistake: "fetched without a scheme", rules: ["url-invalid"], edit: over(url, url.getText().replace("https://", "")) };
    yield { mistake: "fetched by http", rules: ["url-insecure"], edit: over(url, url.getText().replace("https:", "http:")) };
  }
};
