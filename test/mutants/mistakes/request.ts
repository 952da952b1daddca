// Requests that do by hand what the platform does.
import { ts } from "ts-morph";
import { fieldOf, initializerOf, type Setter } from "../pack-syntax.ts";
import { type Mistakes, over, withField } from "./mistake.ts";

export const requestMistakes: Mistakes = function* ({ setters, fetches, domains }, source) {
  const [setter] = setters;
  for (const { call, request, url } of fetches) {
    if (url === undefined || fieldOf(request, "headers") !== undefined) continue;
    yield {
      mistake: "a token in the source",
      rules: ["credential-in-source"],
      edit: withField(request, `headers: { "X-Token": "${TOKEN}" }`),
    };
    yield {
      mistake: "a private key in the source",
      rules: ["credential-in-source"],
      edit: withField(request, `headers: { "X-Signature": sign("${PRIVATE_KEY}") }`),
    };
    yield {
      mistake: "a literal Authorization",
      rules: ["credential-in-source"],
      edit: withField(request, 'headers: { Authorization: "Bearer 9f86d081884c7d65" }'),
    };
    yield {
      mistake: "a token of the environment",
      rules: ["credential-from-environment"],
      edit: withField(request, "headers: { Authorization: `Bearer ${process.env.TOKEN}` }"),
    };
    yield {
      mistake: "Authorization misspelt",
      rules: ["header-name-invalid"],
      edit: withField(request, "headers: { Authorisation: token() }"),
    };
    if (!/\bURL\b/.test(source))
      yield { mistake: "a class that the platform lacks", rules: ["url-class-missing"], edit: over(url, `new URL(${url.getText()}).href`) };
    const [path = "", ...rest] = url.text.split(/(?=[?#])/);
    yield {
      mistake: "a placeholder left in a request's URL",
      rules: ["url-placeholder"],
      edit: over(url, JSON.stringify(`${path.replace(/\/$/, "")}/{itemId}${rest.join("")}`)),
    };
    if (/\.fetcher\.fetch$/.test(call.expression.getText()))
      yield { mistake: "a fetch that the platform lacks", rules: ["request-without-fetcher"], edit: over(call.expression, "fetch") };
    const context = call.expression.getText().replace(/\.?fetcher\.fetch$/, "");
    if (/^\w+$/.test(context))
      yield {
        mistake: "the invocation token as a credential",
        rules: ["invocation-token-as-secret"],
        edit: withField(request, `headers: { Authorization: "Bearer " + ${context}.invocationToken }`),
      };
    const header = setter === undefined || setters.length !== 1 ? undefined : carrierOf(setter);
    const isOpen = /connectionRequirement|disableAuthentication|requiresEndpointUrl|postSetup|networkDomain:/.test(source);
    if (header !== undefined && !isOpen && domains.length === 1)
      yield {
        mistake: "the platform's own header set",
        rules: ["fetch-sets-credential"],
        edit: withField(request, `headers: { ${JSON.stringify(header)}: token() }`),
      };
  }
};

/** Put together, so that no scanner of sources takes it for a leak. */
const TOKEN = ["ghp", "q7Zr2Lx9Kd4Wm8Tb3Vf6Hc1Ns5Py0JgRtUaE"].join("_");

const PRIVATE_KEY = [
  "-----BEGIN",
  "PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7q7Zr2Lx9Kd4W\\n-----END",
  "PRIVATE KEY-----",
].join(" ");

function carrierOf(setter: Setter): string | undefined {
  if (setter.type === "CustomHeaderToken") {
    const name = initializerOf(setter.field("headerName"));
    return name && ts.isStringLiteral(name) ? name.text : undefined;
  }
  const inHeader = /^(?:HeaderBearerToken|WebBasic|OAuth2)$/.test(setter.type) && setter.field("tokenQueryParam") === undefined;
  return inHeader ? "Authorization" : undefined;
}
