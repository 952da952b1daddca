// The published forms of tokens: the linter looks for them in a source, and the proof of a saved test in what is to be written.

export interface SecretFormat {
  readonly name: string;
  /** Where the service publishes the format. */
  readonly source: string;
  /** The fixed prefix that the text is searched for. */
  readonly prefix: string;
  /** Matches the whole token, starting with the prefix. */
  readonly pattern: RegExp;
}

export const SECRET_FORMATS: readonly SecretFormat[] = [
  {
    name: "GitHub token",
    source: "docs.github.com/authentication/keeping-your-account-and-data-secure/about-authentication-to-github",
    prefix: "gh[pousr]_",
    pattern: /^gh[pousr]_[A-Za-z0-9]{30,}/,
  },
  {
    name: "GitHub fine-grained token",
    source: "docs.github.com/authentication/keeping-your-account-and-data-secure/about-authentication-to-github",
    prefix: "github_pat_",
    pattern: /^github_pat_[A-Za-z0-9_]{30,}/,
  },
  {
    name: "GitLab token",
    source: "docs.gitlab.com/security/tokens",
    prefix: "gl(?:pat|oas|rt|dt|cbt|ptt|ft|soat|agent)-",
    pattern: /^gl[a-z]+-[A-Za-z0-9_-]{20,}/,
  },
  {
    name: "Slack token",
    source: "api.slack.com/concepts/token-types",
    prefix: "xox[abeoprs]-",
    pattern: /^xox[abeoprs]-[A-Za-z0-9-]{10,}/,
  },
  {
    name: "Slack app-level token",
    source: "api.slack.com/concepts/token-types",
    prefix: "xapp-",
    pattern: /^xapp-[0-9]-[A-Z0-9]+-[0-9]+-[a-f0-9]{32,}/,
  },
  { name: "Stripe live key", source: "docs.stripe.com/keys", prefix: "[sr]k_live_", pattern: /^[sr]k_live_[A-Za-z0-9]{24,}/ },
  {
    name: "AWS access key",
    source: "docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html",
    prefix: "A[KS]IA",
    pattern: /^A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])/,
  },
  { name: "Google API key", source: "cloud.google.com/docs/authentication/api-keys", prefix: "AIza", pattern: /^AIza[A-Za-z0-9_-]{30,}/ },
  {
    name: "Google OAuth access token",
    source: "cloud.google.com/docs/authentication/token-types",
    prefix: "ya29\\.",
    pattern: /^ya29\.[A-Za-z0-9_-]{20,}/,
  },
  {
    name: "Google OAuth client secret",
    source: "support.google.com/cloud/answer/15549257",
    prefix: "GOCSPX-",
    pattern: /^GOCSPX-[A-Za-z0-9_-]{20,}/,
  },
  {
    name: "SendGrid API key",
    source: "www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys",
    prefix: "SG\\.",
    pattern: /^SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/,
  },
  {
    name: "npm token",
    source: "github.blog/2021-09-23-announcing-npms-new-access-token-format",
    prefix: "npm_",
    pattern: /^npm_[A-Za-z0-9]{30,}/,
  },
  {
    name: "Shopify token",
    source: "shopify.dev/changelog/length-of-the-shopify-access-token-is-increasing",
    prefix: "shp(?:at|ca|pa|ss)_",
    pattern: /^shp[a-z]{2}_[a-fA-F0-9]{32}/,
  },
  {
    name: "OpenAI key",
    source: "platform.openai.com/docs/api-reference/authentication",
    prefix: "sk-",
    pattern: /^sk-[A-Za-z0-9_-]*T3BlbkFJ[A-Za-z0-9_-]{20,}/,
  },
  {
    name: "Anthropic key",
    source: "docs.anthropic.com/en/api/overview",
    prefix: "sk-ant-",
    pattern: /^sk-ant-[a-z0-9]+-[A-Za-z0-9_-]{80,}/,
  },
  {
    name: "Airtable token",
    source: "airtable.com/developers/web/guides/personal-access-tokens",
    prefix: "pat[A-Za-z0-9]{14}\\.",
    pattern: /^pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/,
  },
  {
    name: "DigitalOcean token",
    source: "docs.digitalocean.com/reference/api/create-personal-access-token",
    prefix: "do[opr]_v1_",
    pattern: /^do[opr]_v1_[a-f0-9]{64}/,
  },
  {
    name: "JSON Web Token",
    source: "RFC 7519 3.1",
    prefix: "eyJ",
    pattern: /^eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/,
  },
];

/**
 * Line breaks may be real or written as `\\n`. The pattern requires the key's own data, since code also searches for the header or strips
 * it.
 */
export const PRIVATE_KEY: SecretFormat = {
  name: "private key",
  source: "RFC 7468 10",
  prefix: "-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----",
  pattern: /^-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----(?:\\[nr]|\s){0,8}[A-Za-z0-9+/]{40,}/,
};
