// cURL commands, and what set-up reads in each: a configuration, a question, or the reason why there is none.

import { PackAuthError } from "../../platform/errors.ts";
import type { Question, SetupOutcome } from "../../platform/setup/outcome.ts";
import { type ReaderContext, Unanswered } from "../../platform/setup/reader.ts";
import type { TextWithSlots } from "../../protocol/setup.ts";

/** The secret of each command, of a form that no other text has. */
export const CANARY = "c4n4ryS3cretV4lue9c4n4ry";

export interface CurlFixture {
  readonly command: string;
  readonly answers?: Readonly<Record<string, string>>;
  /** What {@link inShort} says of the outcome. */
  readonly outcome: string;
  /** The credential as JSON, without its kind; absent if none was pasted. */
  readonly credential?: object;
}

const basic = (text: string): string => Buffer.from(text).toString("base64");
const token = { token: CANARY };
const TOKEN_URL = "https://auth.acme.dev/oauth/token";

export const CURL_FIXTURES: Readonly<Record<string, CurlFixture>> = {
  "a Bearer token": {
    command: `curl -L \\\n  -H "Accept: application/vnd.github+json" \\\n  -H "Authorization: Bearer ${CANARY}" \\\n  https://api.github.com/repos/octo/hello/issues?state=open&per_page=5`,
    outcome:
      "HeaderBearerToken; api.github.com; GetIssues: GET https://api.github.com/repos/octo/hello/issues?state=open&per_page=5 Accept: application/vnd.github+json",
    credential: token,
  },
  "the option of a Bearer token": {
    command: `curl -s --oauth2-bearer '${CANARY}' https://api.acme.dev/v1/me | jq .name`,
    outcome: "HeaderBearerToken; api.acme.dev; GetMe: GET https://api.acme.dev/v1/me",
    credential: token,
  },
  "a Bearer token in a variable": {
    command: 'export TOKEN=x\ncurl "https://api.acme.dev/users/$USER_ID/items" -H "Authorization: Bearer ${TOKEN}"',
    outcome: "HeaderBearerToken; api.acme.dev; GetItems: GET https://api.acme.dev/users/<userId>/items",
  },
  "a Bearer token that another command prints": {
    command: 'curl -H "Authorization: Bearer $(gcloud auth print-access-token)" https://bigquery.acme.dev/v2/projects',
    outcome: "HeaderBearerToken; bigquery.acme.dev; GetProjects: GET https://bigquery.acme.dev/v2/projects",
  },
  "a user name and a password": {
    command: `curl -sSLu 'ada@acme.dev:${CANARY}' https://api.acme.dev/2.0/tickets/42`,
    outcome: "WebBasic; api.acme.dev; GetTicket: GET https://api.acme.dev/2.0/tickets/42",
    credential: { username: "ada@acme.dev", password: CANARY },
  },
  "a header with user name and password": {
    command: `curl https://api.acme.dev/boards -H 'authorization: Basic ${basic(`ada:${CANARY}`)}'`,
    outcome: "WebBasic; api.acme.dev; GetBoards: GET https://api.acme.dev/boards",
    credential: { username: "ada", password: CANARY },
  },
  "a user and a password in the URL": {
    command: `curl https://ada:${CANARY}@api.acme.dev/boards`,
    outcome: "WebBasic; api.acme.dev; GetBoards: GET https://api.acme.dev/boards",
    credential: { username: "ada", password: CANARY },
  },
  "a key as the password": {
    command: `curl -i "https://api.acme.dev/v0" -u ":${CANARY}"`,
    outcome:
      'WebBasic uxConfig={"placeholderUsername":"Leave this empty","placeholderPassword":"Key"}; api.acme.dev; GetData: GET https://api.acme.dev/v0 (The user name is empty, and the key is the password. The labels of the sign-in say so.)',
    credential: { username: "", password: CANARY },
  },
  "a user without a password": {
    command: `curl https://api.acme.dev/v1/charges -u ${CANARY}: -d amount=20 -d "description=A charge"`,
    outcome: "ask basic-password: name-only, both",
  },
  "a key as the user": {
    command: `curl https://api.acme.dev/v1/charges -u ${CANARY}: -d amount=20 -d "description=A charge"`,
    answers: { "basic-password": "name-only" },
    outcome:
      'WebBasic uxConfig={"usernameOnly":true}; api.acme.dev; CreateCharge: POST https://api.acme.dev/v1/charges Content-Type: application/x-www-form-urlencoded amount=20&description=A charge',
    credential: { username: CANARY, password: "" },
  },
  "a key in a header of its own": {
    command: `curl -XPOST 'https://api.acme.dev/v2/items' -H 'X-Api-Key: ${CANARY}' --json '{"name":"{{item_name}}"}'`,
    outcome:
      'CustomHeaderToken headerName="X-Api-Key"; api.acme.dev; CreateItem: POST https://api.acme.dev/v2/items Content-Type: application/json Accept: application/json {"name":"<itemName>"}',
    credential: token,
  },
  "a header named Authentication": {
    command: `curl https://api.acme.dev/3/images -H 'Authentication: Client-ID ${CANARY}'`,
    outcome:
      'CustomHeaderToken headerName="Authentication" tokenPrefix="Client-ID"; api.acme.dev; GetImages: GET https://api.acme.dev/3/images',
    credential: token,
  },
  "a token in a header whose name has no marks between words": {
    command: `curl https://api.acme.dev/rest/issue/ABC-12 -H 'mytoken: ${CANARY}'`,
    outcome: 'CustomHeaderToken headerName="mytoken"; api.acme.dev; GetIssue: GET https://api.acme.dev/rest/issue/ABC-12',
    credential: token,
  },
  "a file in the path": {
    command: `curl https://api.acme.dev/photos/cat.jpg -H 'X-Api-Key: ${CANARY}'`,
    outcome: 'CustomHeaderToken headerName="X-Api-Key"; api.acme.dev; GetCat: GET https://api.acme.dev/photos/cat.jpg',
    credential: token,
  },
  "a token and an email address in headers of HTTP/2": {
    command: `curl https://api.acme.dev/people -H 'x-pw-accesstoken: ${CANARY}' -H 'x-pw-useremail: ada@acme.dev'`,
    outcome: "ask values",
  },
  "an ID beside a token in the query": {
    command: `curl 'https://api.acme.dev/street-address?auth-id=a1&auth-token=${CANARY}'`,
    outcome: "ask values",
  },
  "another scheme of the Authorization header": {
    command: `curl https://a.acme.dev/api/profiles/ -H 'Authorization: Klaviyo-API-Key ${CANARY}' -H 'revision: 2024-10-15'`,
    outcome:
      'CustomHeaderToken headerName="Authorization" tokenPrefix="Klaviyo-API-Key"; a.acme.dev; GetProfiles: GET https://a.acme.dev/api/profiles/ revision: 2024-10-15',
    credential: token,
  },
  "a key without a scheme": {
    command: `curl https://api.acme.dev/graphql -H 'Authorization: ${CANARY}' -H 'Content-Type: application/json' -d '{"query":"query($id: ID!) { node(id: $id) { id } }"}'`,
    outcome:
      'CustomHeaderToken headerName="Authorization"; api.acme.dev; QueryGraphQL: POST https://api.acme.dev/graphql Content-Type: application/json {"query":"query($id: ID!) { node(id: $id) { id } }"}',
    credential: token,
  },
  "two headers": {
    command: `curl https://api.acme.dev/api/v1/dashboard -H "DD-API-KEY: ${CANARY}" -H "DD-APPLICATION-KEY: ${CANARY}2"`,
    outcome:
      'MultiHeaderToken headers=[{"name":"DD-API-KEY","description":"The value of DD-API-KEY."},{"name":"DD-APPLICATION-KEY","description":"The value of DD-APPLICATION-KEY."}]; api.acme.dev; GetDashboard: GET https://api.acme.dev/api/v1/dashboard',
    credential: { values: { "DD-API-KEY": CANARY, "DD-APPLICATION-KEY": `${CANARY}2` } },
  },
  "a token and a user's ID in headers": {
    command: `curl https://chat.acme.dev/api/v1/channels.list -H 'X-Auth-Token: ${CANARY}' -H 'X-User-Id: u1'`,
    answers: { values: "user" },
    outcome:
      'MultiHeaderToken headers=[{"name":"X-Auth-Token","description":"The value of X-Auth-Token."},{"name":"X-User-Id","description":"The value of X-User-Id."}]; chat.acme.dev; ChannelsList: GET https://chat.acme.dev/api/v1/channels.list',
    credential: { values: { "X-Auth-Token": CANARY, "X-User-Id": "u1" } },
  },
  "a client's ID and a secret in a body": {
    command: `curl https://acme.dev/accounts/get --json '{"client_id":"c1","secret":"${CANARY}"}'`,
    answers: { values: "1=user" },
    outcome:
      'Custom params=[{"name":"clientId","description":"The value of the field client_id of the body."},{"name":"secret","description":"The value of the field secret of the body."}]; acme.dev; GetAccounts: POST https://acme.dev/accounts/get Content-Type: application/json Accept: application/json {"client_id":"[clientId]","secret":"[secret]"}',
    credential: { values: { clientId: "c1", secret: CANARY } },
  },
  "a key as the user, in a variable": {
    command: 'curl https://api.acme.dev/v1/charges -u "$API_KEY:"',
    answers: { "basic-password": "name-only" },
    outcome: 'WebBasic uxConfig={"usernameOnly":true}; api.acme.dev; GetCharges: GET https://api.acme.dev/v1/charges',
  },
  "a type of body that is left out": {
    command: `curl https://api.acme.dev/x -H 'Content-Type:' -H 'apikey: ${CANARY}' -d '{"a":1}'`,
    outcome: 'CustomHeaderToken headerName="apikey"; api.acme.dev; CreateX: POST https://api.acme.dev/x {"a":1}',
    credential: token,
  },
  "a key in the query": {
    command: `curl -G https://api.acme.dev/search --data-urlencode 'q=a b&c' -d api_key=${CANARY}`,
    outcome: 'QueryParamToken paramName="api_key"; api.acme.dev; Search: GET https://api.acme.dev/search?q=a%20b%26c',
    credential: token,
  },
  "a placeholder for a key in the query": {
    command: "curl 'https://maps.acme.dev/api/geocode/json?address=1+Main%20Street&key=YOUR_API_KEY'",
    outcome: 'QueryParamToken paramName="key"; maps.acme.dev; GetJson: GET https://maps.acme.dev/api/geocode/json?address=1+Main%20Street',
  },
  "a placeholder for a key in the path": {
    command: "curl 'https://api.acme.dev/bot<token>/getMe'",
    answers: { credential: "path-1" },
    outcome:
      'Custom params=[{"name":"token","description":"The value of part 1 of the URL\'s path."}]; api.acme.dev; GetMe: GET https://api.acme.dev/bot[token]/getMe',
  },
  "a secret of a known form in the path, beside a header": {
    command: `curl https://api.yourcompany.acme.dev/hooks/glpat-${CANARY} -H 'X-Api-Key: ${CANARY}2'`,
    outcome: "ask values",
  },
  "a company's name in the host": {
    command: `curl https://yourcompany.acme.dev/api/people -H 'X-Api-Key: ${CANARY}'`,
    outcome:
      'CustomHeaderToken headerName="X-Api-Key" requiresEndpointUrl=true endpointDomain="acme.dev"; acme.dev; GetPeople: GET {endpoint}/api/people',
    credential: token,
  },
  "two keys in the query": {
    command: `curl 'https://api.acme.dev/1/boards/5abbe4b7ddc1b351ef961414?key=${CANARY}&token=${CANARY}2&fields=name'`,
    answers: { values: "" },
    outcome:
      'MultiQueryParamToken params=[{"name":"key","description":"The value of key."},{"name":"token","description":"The value of token."}]; api.acme.dev; GetBoard: GET https://api.acme.dev/1/boards/<pathPart>?fields=name (Part 3 of the URL\'s path: the value may be secret, so it is in no file. It is a parameter of the formula.)',
    credential: { values: { key: CANARY, token: `${CANARY}2` } },
  },
  "an ID of an application in the query": {
    command: `curl 'https://api.acme.dev/data/2.5/weather?q=Oslo&appid=${CANARY}'`,
    outcome: "ask credential: none, query-appid, query-q, path-1, path-2, path-3, missing",
  },
  "an ID of an application that is the credential": {
    command: `curl 'https://api.acme.dev/data/2.5/weather?q=Oslo&appid=${CANARY}'`,
    answers: { credential: "query-appid" },
    outcome: 'QueryParamToken paramName="appid"; api.acme.dev; GetWeather: GET https://api.acme.dev/data/2.5/weather?q=Oslo',
    credential: token,
  },
  "a type of token in the query": {
    command: `curl 'https://api.acme.dev/x?token_type=bearer' -H 'Authorization: Bearer ${CANARY}'`,
    outcome: "HeaderBearerToken; api.acme.dev; GetX: GET https://api.acme.dev/x?token_type=bearer",
    credential: token,
  },
  "a header of a client": {
    command: `curl https://api.acme.dev/x -H 'X-Client: 12ab'`,
    outcome: "ask credential: none, header-X-Client, path-1, missing",
  },
  "a header and a query parameter": {
    command: `curl 'https://api.acme.dev/x?api_key=${CANARY}' -H 'X-Token: ${CANARY}2'`,
    outcome:
      'Custom params=[{"name":"token","description":"The value of the header X-Token."},{"name":"apiKey","description":"The value of the query parameter api_key."}]; api.acme.dev; GetX: GET https://api.acme.dev/x?api_key=[apiKey] X-Token: [token]',
    credential: { values: { token: `${CANARY}2`, apiKey: CANARY } },
  },
  "a key in the path": {
    command: `curl https://api.acme.dev/bot123456:${CANARY}/getMe`,
    outcome:
      'Custom params=[{"name":"token","description":"What follows bot in part 1 of the URL\'s path."}]; api.acme.dev; GetMe: GET https://api.acme.dev/bot[token]/getMe',
    credential: { values: { token: `123456:${CANARY}` } },
  },
  "a key in a form": {
    command: `curl https://acme.dev/api/chat.postMessage -d token=${CANARY} -d channel=C1 -d 'text=Hello!'`,
    outcome:
      'Custom params=[{"name":"token","description":"The value of the field token of the body."}]; acme.dev; ChatPostMessage: POST https://acme.dev/api/chat.postMessage Content-Type: application/x-www-form-urlencoded token=[token]&channel=C1&text=Hello!',
    credential: { values: { token: CANARY } },
  },
  "a key in JSON": {
    command: `curl https://acme.dev/api/search -H 'Content-Type: application/json' -d '{"auth":{"api_key":"${CANARY}"},"q":"\u00fc"}'`,
    outcome:
      'Custom params=[{"name":"authApiKey","description":"The value of the field auth.api_key of the body."}]; acme.dev; Search: POST https://acme.dev/api/search Content-Type: application/json {"auth":{"api_key":"[authApiKey]"},"q":"\u00fc"}',
    credential: { values: { authApiKey: CANARY } },
  },
  "a new user's password beside a token": {
    command: `curl https://acme.dev/api/users -H 'X-Auth-Token: ${CANARY}' -d 'email=a@acme.dev' -d 'password=initial-1'`,
    outcome: "ask values",
  },
  "a host of each account": {
    command: `curl https://{subdomain}.acme.dev/api/v2/users/:id -H 'Authorization: Bearer ${CANARY}'`,
    outcome: 'HeaderBearerToken requiresEndpointUrl=true endpointDomain="acme.dev"; acme.dev; GetUser: GET {endpoint}/api/v2/users/<id>',
    credential: token,
  },
  "a base URL of each account": {
    command: `curl "$BASE_URL/rest/api/2/search" -H 'Authorization: Bearer ${CANARY}'`,
    outcome: "HeaderBearerToken requiresEndpointUrl=true; ; Search: GET {endpoint}/rest/api/2/search",
    credential: token,
  },
  "Chrome's form for bash": {
    command: `curl 'https://api.acme.dev/v1/notes' \\\n  -H 'accept: */*' \\\n  -H 'accept-language: en' \\\n  -H 'authorization: Bearer ${CANARY}' \\\n  -H 'content-type: application/json' \\\n  -b 'sid=1' \\\n  -H 'sec-ch-ua: "Chromium";v="131"' \\\n  -H 'user-agent: Mozilla/5.0' \\\n  --data-raw $'{"text":"It\\'s \\u0021"}'`,
    outcome:
      'HeaderBearerToken; api.acme.dev; CreateNote: POST https://api.acme.dev/v1/notes content-type: application/json {"text":"It\'s !"} (The cookies are left out: the platform sends none.)',
    credential: token,
  },
  "Chrome's form for cmd.exe": {
    command: `curl --request POST ^"https://api.acme.dev/v1/notes?a=1^&b=2^" ^\r\n  -H ^"authorization: Bearer ${CANARY}^" ^\r\n  -H ^"content-type: application/json^" ^\r\n  --data-raw ^"^{^\\^"text^\\^":^\\^"50^%^ off^\\^"^}^"`,
    outcome:
      'HeaderBearerToken; api.acme.dev; CreateNote: POST https://api.acme.dev/v1/notes?a=1&b=2 content-type: application/json {"text":"50% off"}',
    credential: token,
  },
  "a form with a file": {
    command: `curl https://api.acme.dev/files -H 'X-Api-Key: ${CANARY}' -F name=a -F file=@a.png`,
    outcome:
      'CustomHeaderToken headerName="X-Api-Key"; api.acme.dev; CreateFile: POST https://api.acme.dev/files Content-Type: multipart/form-data; boundary=----form-field-f3a1c95e ------form-field-f3a1c95e\r\nContent-Disposition: form-data; name="name"\r\n\r\na\r\n------form-field-f3a1c95e--\r\n (The option --form reads the field file from a file, which set-up does not read. Add it to the formula by hand.)',
    credential: token,
  },
  "a body from a file": {
    command: `curl -k https://api.acme.dev/files -H 'X-Api-Key: ${CANARY}' -d @body.json`,
    outcome:
      'CustomHeaderToken headerName="X-Api-Key"; api.acme.dev; CreateFile: POST https://api.acme.dev/files (The option --insecure is left out: the platform connects to the host by its name, without a proxy, and checks its certificate.) (The option --data reads the body from a file, which set-up does not read. Add it to the formula by hand.)',
    credential: token,
  },
  "a URL with http": {
    command: `curl api.acme.dev/files -H 'X-Api-Key: ${CANARY}'`,
    outcome:
      'CustomHeaderToken headerName="X-Api-Key"; api.acme.dev; GetFiles: GET https://api.acme.dev/files (The command\'s URL does not begin with https://, and the platform fetches nothing else. Check that the API answers there.)',
    credential: token,
  },
  "an access token of OAuth 2.0": {
    command: `curl https://api.acme.dev/files -H 'Authorization: Bearer ya29.${CANARY}'`,
    outcome:
      "HeaderBearerToken; api.acme.dev; GetFiles: GET https://api.acme.dev/files (The token looks like an access token of OAuth 2.0, which expires. If the API has OAuth 2.0, set up from its issuer or provider instead.)",
    credential: { token: `ya29.${CANARY}` },
  },
  "the same secret twice": {
    command: `curl https://api.acme.dev/files/${CANARY} -H 'X-Api-Key: ${CANARY}'`,
    answers: { values: "constant" },
    outcome:
      'CustomHeaderToken headerName="X-Api-Key"; api.acme.dev; no formula (The formula is left out, because its request repeats the credential at another place.)',
    credential: token,
  },
  "no credential": {
    command: "curl https://api.acme.dev/search?q=x",
    outcome: "ask credential: none, query-q, path-1, missing",
  },
  "no credential at an open API": {
    command: "curl https://api.acme.dev/search?q=x",
    answers: { credential: "none" },
    outcome: "None; api.acme.dev; Search: GET https://api.acme.dev/search?q=x",
  },
  "no credential in the command": {
    command: "curl https://api.acme.dev/search?q=x",
    answers: { credential: "missing" },
    outcome: "unreadable: The command has no credential.",
  },
  "AWS Signature Version 4": {
    command: `curl --aws-sigv4 aws:amz:us-east-1:execute-api -u AKIDAKIDAKID:${CANARY} https://x1.acme.dev/prod/pets`,
    outcome: 'AWSAccessKey service="execute-api"; x1.acme.dev; GetPets: GET https://x1.acme.dev/prod/pets',
    credential: { accessKeyId: "AKIDAKIDAKID", secretAccessKey: CANARY, region: "us-east-1" },
  },
  "a signed header of AWS": {
    command: `curl https://sts.amazonaws.com/?Action=GetCallerIdentity -H 'X-Amz-Date: 20260101T000000Z' -H 'Authorization: AWS4-HMAC-SHA256 Credential=AKIDAKID/20260101/us-east-1/sts/aws4_request, SignedHeaders=host, Signature=${CANARY}'`,
    outcome: 'AWSAccessKey service="sts"; sts.amazonaws.com; GetData: GET https://sts.amazonaws.com/?Action=GetCallerIdentity',
  },
  "client credentials": {
    command: `curl ${TOKEN_URL} -u client:${CANARY} -d grant_type=client_credentials -d 'scope=read write' -d audience=x`,
    answers: { "api-domain": "acme.dev" },
    outcome: `OAuth2ClientCredentials tokenUrl="${TOKEN_URL}" scopes=["read","write"] credentialsLocation="AuthorizationHeader"; acme.dev; no formula (The client ID and its secret are entered at the first sign-in. They are in no file.) (The request has further parameters, which are left out: audience. Check whether the provider needs them.)`,
  },
  "client credentials, without the API": {
    command: `curl ${TOKEN_URL} -u client:${CANARY} -d grant_type=client_credentials`,
    outcome: "ask api-domain",
  },
  "client credentials at an address that may have a secret": {
    command: `curl https://auth.acme.dev/9f8e7d6c5b4a3928/token -u client:${CANARY} -d grant_type=client_credentials`,
    outcome: "ask address-part: constant, secret",
  },
  "client credentials at the address of a tenant": {
    command: `curl https://auth.acme.dev/8d2f5a7e-14bb-4d0e-9a47-1dd0b7c0e3d1/oauth2/v2.0/token -u client:${CANARY} -d grant_type=client_credentials`,
    outcome: "ask api-domain",
  },
  "an authorization code": {
    command: `curl ${TOKEN_URL} -d grant_type=authorization_code -d code=${CANARY} -d client_secret=${CANARY} -d code_verifier=${CANARY}`,
    answers: { authorizationUrl: "https://auth.acme.dev/oauth/authorize", "api-domain": "api.acme.dev" },
    outcome: `OAuth2 authorizationUrl="https://auth.acme.dev/oauth/authorize" tokenUrl="${TOKEN_URL}" credentialsLocation="Body" useProofKeyForCodeExchange=true; api.acme.dev; no formula (The client ID and its secret are entered at the first sign-in. They are in no file.)`,
  },
  "a refresh token": {
    command: `curl ${TOKEN_URL} --json '{"grant_type":"refresh_token","refresh_token":"${CANARY}"}'`,
    outcome: "ask authorizationUrl",
  },
  "an address of a consent page": {
    command: "curl 'https://auth.acme.dev/oauth/authorize?response_type=code&client_id=abc&scope=a,b&state=x'",
    answers: { tokenUrl: TOKEN_URL, "api-domain": "api.acme.dev" },
    outcome: `OAuth2 authorizationUrl="https://auth.acme.dev/oauth/authorize" tokenUrl="${TOKEN_URL}" scopes=["a","b"] scopeDelimiter=","; api.acme.dev; no formula (The client ID and its secret are entered at the first sign-in. They are in no file.)`,
  },
  "an implicit grant": {
    command: "curl 'https://auth.acme.dev/authorize?response_type=token&client_id=abc'",
    outcome: "impossible implicit-grant: the parameter response_type of the cURL command",
  },
  "a password grant": {
    command: `curl ${TOKEN_URL} -d grant_type=password -d username=ada -d password=${CANARY}`,
    outcome: "impossible password-grant: the parameter grant_type of the cURL command",
  },
  "a JWT assertion": {
    command: `curl ${TOKEN_URL} -d 'grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&assertion=${CANARY}'`,
    outcome: "impossible jwt-assertion: the parameter grant_type of the cURL command",
  },
  "a client that signs an assertion": {
    command: `curl ${TOKEN_URL} -d grant_type=client_credentials -d client_assertion=${CANARY}`,
    outcome: "impossible jwt-assertion: the parameter client_assertion of the cURL command",
  },
  "a device code": {
    command: `curl ${TOKEN_URL} -d grant_type=urn:ietf:params:oauth:grant-type:device_code -d device_code=${CANARY}`,
    outcome: "impossible device-grant: the parameter grant_type of the cURL command",
  },
  "OAuth 1.0a": {
    command: `curl https://api.acme.dev/1.1/me -H 'Authorization: OAuth oauth_consumer_key="k", oauth_signature="${CANARY}"'`,
    outcome: "impossible oauth1: the header Authorization of the cURL command",
  },
  "Digest by an option": {
    command: `curl --digest -u ada:${CANARY} https://api.acme.dev/groups`,
    outcome: "impossible digest: the option --digest of the cURL command",
  },
  "any scheme": {
    command: `curl --anyauth -u ada:${CANARY} https://api.acme.dev/groups`,
    outcome: "ask user-scheme: basic, digest, negotiate",
  },
  NTLM: {
    command: `curl --ntlm -u ada:${CANARY} https://api.acme.dev/groups`,
    outcome: "impossible negotiate: the option --ntlm of the cURL command",
  },
  "a certificate of the client": {
    command: `curl -E cert.pem:${CANARY} --key key.pem https://api.acme.dev/groups`,
    outcome: "impossible mutual-tls: the option --cert of the cURL command",
  },
  "a proof of possession": {
    command: `curl https://api.acme.dev/x -H 'Authorization: DPoP ${CANARY}' -H 'DPoP: ${CANARY}'`,
    outcome: "impossible dpop: the header Authorization of the cURL command",
  },
  Hawk: {
    command: `curl https://api.acme.dev/x -H 'Authorization: Hawk id="a", mac="${CANARY}"'`,
    outcome: "impossible signed-request: the header Authorization of the cURL command",
  },
  "a signature in a header": {
    command: `curl https://api.acme.dev/x -H 'CB-ACCESS-KEY: k' -H 'X-Acme-Signature: ${CANARY}'`,
    outcome: "impossible signed-request: the header X-Acme-Signature of the cURL command",
  },
  "a signature in the query": {
    command: `curl 'https://api.acme.dev/x?timestamp=1&sign=${CANARY}'`,
    outcome: "impossible signed-request: the query parameter sign of the cURL command",
  },
  "a cookie of a session": {
    command: `curl https://acme.dev/api/me -b 'theme=dark; session=${CANARY}' -H 'X-CSRF-Token: ${CANARY}'`,
    outcome: "impossible session-login: the header Cookie of the cURL command",
  },
  "a login": {
    command: `curl https://acme.dev/api/login --json '{"user":"ada","password":"${CANARY}"}'`,
    outcome: "impossible session-login: the field password of the cURL command",
  },
  "an unknown option": {
    command: `curl --headr 'X-Api-Key: ${CANARY}' https://api.acme.dev`,
    outcome: "unreadable: curl has no option --headr that set-up knows. Correct the option. Did you mean --header?",
  },
  "an equals sign after an option": {
    command: `curl --header='X-Api-Key: ${CANARY}' https://api.acme.dev`,
    outcome: "unreadable: curl does not accept an equals sign after --header. Write a space instead: --header '…'.",
  },
  "half a command": {
    command: `curl https://api.acme.dev -H 'X-Api-Key: ${CANARY}`,
    outcome:
      "unreadable: The command ends inside quotes, so a part of it is missing. Copy the whole command, up to its last quote, and paste it.",
  },
  "typographic quotes": {
    command: `curl https://api.acme.dev -H “X-Api-Key: ${CANARY}”`,
    outcome: "unreadable: The command has typographic quotes, which are no quotes to a shell. Replace them with plain ones: \" or '.",
  },
  "two commands": {
    command: `curl -d 'password=${CANARY}' https://acme.dev/login\ncurl https://acme.dev/me`,
    outcome: "unreadable: The text has 2 cURL commands. Paste the one whose request shows how the API authenticates.",
  },
  PowerShell: {
    command: `$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\nInvoke-WebRequest -Uri "https://acme.dev" -Headers @{"x-api-key"="${CANARY}"}`,
    outcome:
      "unreadable: The text is a PowerShell command, which is not read. In the browser's list of requests, choose Copy as cURL (bash), and paste that.",
  },
  "an empty text": { command: " \n", outcome: "unreadable: The text is empty." },
  HTML: { command: "<!doctype html><title>Docs</title>", outcome: "unreadable: The text is HTML or XML, and no cURL command." },
  "a binary text": { command: "curl \u0000\u0001", outcome: "unreadable: The text has control characters, so it is no command." },
  "20 MB": {
    command: `curl ${"x".repeat(20_000_000)}`,
    outcome:
      "unreadable: The text has 20000005 characters; a cURL command of at most 100000 is read. Paste the command without its long body.",
  },
  "a URL without a host": {
    command: `curl 'https:///me' -H 'X-Api-Key: ${CANARY}'`,
    outcome: "unreadable: The URL has no host. Put the URL inside quotes, with https:// at its beginning.",
  },
  "this machine": {
    command: `curl http://localhost:3000/me -H 'X-Api-Key: ${CANARY}'`,
    outcome: "unreadable: The URL's host is this machine, which the platform cannot reach.",
  },
  "an IP address": {
    command: `curl https://10.0.0.1/me -H 'X-Api-Key: ${CANARY}'`,
    outcome: "unreadable: The URL's host is an IP address, and the platform fetches domain names only.",
  },
  "a private host": {
    command: `curl https://jira.corp/me -H 'X-Api-Key: ${CANARY}'`,
    outcome: "unreadable: The URL's host is no public domain name, so the platform cannot reach it.",
  },
  "accounts in a file": {
    command: "curl -n https://api.acme.dev/me",
    outcome:
      "unreadable: The option --netrc reads the account or options from a file, which set-up does not read. Write them into the command instead, such as --user name:password.",
  },
  "headers in a file": {
    command: "curl -H @headers.txt https://api.acme.dev/me",
    outcome: "unreadable: The option --header reads headers from a file, which set-up does not read. Write the headers themselves.",
  },
};

/** The context of a reader that has these answers. */
export function answering(answers: Readonly<Record<string, string>>): ReaderContext {
  const unanswered = (question: Question): never => {
    throw new Unanswered(question);
  };
  return {
    choose: (question) => {
      const answer = answers[question.id];
      return answer !== undefined && question.options.some(({ value }) => value === answer)
        ? answer
        : unanswered({ kind: "choice", ...question });
    },
    ask: (question) => {
      const answer = answers[question.id];
      return answer !== undefined && question.problem(answer) === undefined ? answer : unanswered({ kind: "text", ...question });
    },
    mayLookUp: (question) => unanswered({ kind: "look-up", id: `look-up ${question.host}`, ...question }),
    fetch: () => assertNothingSent(),
    signal: AbortSignal.timeout(60_000),
  };
}

const assertNothingSent = (): never => {
  throw new Error("A reader of a command sends nothing.");
};

/** Returns the outcome of a reader, or the error that it throws. */
export async function attempt(read: () => SetupOutcome | Promise<SetupOutcome>): Promise<SetupOutcome | PackAuthError> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Unanswered) return { kind: "question", question: error.question };
    if (error instanceof PackAuthError) return error;
    throw error;
  }
}

const textOf = (text: TextWithSlots): string =>
  text
    .map((piece) =>
      typeof piece === "string"
        ? piece
        : "endpoint" in piece
          ? "{endpoint}"
          : "parameter" in piece
            ? `<${piece.parameter}>`
            : `[${piece.credential}]`,
    )
    .join("");

/** Returns an outcome in one line, without the hint of an error that says only how to begin. */
export function inShort(outcome: SetupOutcome | PackAuthError): string {
  if (outcome instanceof PackAuthError) {
    const hint = /^Paste /.test(outcome.hint ?? "") && !/one whose|without its/.test(outcome.hint ?? "") ? "" : ` ${outcome.hint}`;
    return `unreadable: ${outcome.message}${hint}`;
  }
  if (outcome.kind === "question")
    return `ask ${outcome.question.id}${outcome.question.kind === "choice" ? `: ${outcome.question.options.map(({ value }) => value).join(", ")}` : ""}`;
  if (outcome.kind === "impossible") return `impossible ${outcome.reason}: ${outcome.origin}`;
  const { type, fields, domains, formula, remarks } = outcome.proposal;
  const request = formula?.request;
  return [
    [type, ...fields.map(({ name, value }) => `${name}=${JSON.stringify(value)}`)].join(" "),
    domains.map(({ domain }) => domain).join(","),
    [
      request === undefined
        ? "no formula"
        : [
            `${formula?.name}: ${request.method} ${textOf(request.url)}`,
            ...request.headers.map(({ name, value }) => `${name}: ${textOf(value)}`),
            ...(request.body === undefined ? [] : [textOf(request.body)]),
          ].join(" "),
      ...remarks
        .filter((remark) => !remark.startsWith("The command has no value for") && !remark.startsWith("No other type"))
        .map((remark) => `(${remark})`),
    ].join(" "),
  ].join("; ");
}
