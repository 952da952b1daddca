// The words of a command, as bash and cmd.exe read them, but for what its author means as text.
import assert from "node:assert/strict";
import { curlArguments } from "../../../../platform/setup/curl/words.ts";

const WORDS: Readonly<Record<string, readonly [command: string, words: readonly string[]]>> = {
  "an unquoted query": ["curl https://a.dev/x?a=1&b=2&c[]=3", ["https://a.dev/x?a=1&b=2&c[]=3"]],
  "an unquoted fragment, and a comment": ["curl https://a.dev/x#y # -H 'A: b'", ["https://a.dev/x#y"]],
  "unquoted angle brackets": ["curl https://a.dev/<id>/<your name>", ["https://a.dev/<id>/<your name>"]],
  "unquoted parentheses": ["curl https://a.dev/Users(5)", ["https://a.dev/Users(5)"]],
  "a continued line": ["curl \\\n -s \\\r\n https://a.\\\ndev", ["-s", "https://a.dev"]],
  "a line whose backslash was lost": ["curl https://a.dev\n  -H 'A: b'", ["https://a.dev", "-H", "A: b"]],
  "ANSI-C quotes": ["curl $'it\\'s \\u0021\\n\\x41'", ["it's !\nA"]],
  "adjacent quotes": ["curl 'a'\"b\"c\\ d''", ["abc d"]],
  "an empty word": ["curl -d '' \"\"", ["-d", "", ""]],
  "escapes in double quotes": ['curl "\\"\\\\\\$\\`\\n"', ['"\\$`\\n']],
  variables: ['curl $A "${B}c" "${C:-x y}" \'$D\' \\$E "\\$F" $1', ["\0A\0", "\0B\0c", "\0C\0", "$D", "$E", "$F", "$1"]],
  "the output of a command": ['curl "$(echo "$(date)")" `date` $((1 + 1))', ["\0OUTPUT\0", "\0OUTPUT\0", "\0OUTPUT\0"]],
  redirections: ["curl -s https://a.dev >out 2>&1 </dev/null 2> 'e r'", ["-s", "https://a.dev"]],
  "a pipe": ["curl https://a.dev|jq '.[]'; echo 'done'", ["https://a.dev"]],
  "assignments and another program before curl": ["A=1 B='2 3' sudo curl https://a.dev", ["https://a.dev"]],
  "commands before curl": ["export A=1\ncd x && /usr/bin/curl https://a.dev", ["https://a.dev"]],
  "the prompt of a shell": ["$ curl https://a.dev", ["https://a.dev"]],
  "the prompt of PowerShell": ["PS C:\\> curl https://a.dev", ["https://a.dev"]],
  "the prompt of cmd.exe": ["C:\\Users\\ada>curl https://a.dev", ["https://a.dev"]],
  "a prompt with the name of a host": ["ada@host:~$ curl https://a.dev", ["https://a.dev"]],
  "words with an apostrophe before the command": ["Here's how: curl -H 'A: b' https://a.dev", ["-H", "A: b", "https://a.dev"]],
  "words around a block of Markdown": [
    "Don't forget:\n\n~~~sh\n$ curl https://a.dev \\\n>   -H 'A: b'\n~~~\nThat's it.",
    ["https://a.dev", "-H", "A: b"],
  ],
  "a command in a comment": ["# curl https://a.dev \\\n#  -H 'A: b'", ["https://a.dev", "-H", "A: b"]],
  "a command whose output is a variable": ["RESPONSE=$(curl -s https://a.dev)", ["-s", "https://a.dev"]],
  "another command whose output is a variable": [
    'A=$(curl -s https://a.dev)\ncurl -H "A: $A" https://b.dev',
    ["-H", "A: \0A\0", "https://b.dev"],
  ],
  "code in a sentence": ["Run `curl -H 'A: b' https://a.dev` now.", ["-H", "A: b", "https://a.dev"]],
  "the command of a container": ["docker run curlimages/curl -s https://a.dev", ["-s", "https://a.dev"]],
  "cmd.exe with carets inside plain quotes": [
    'curl "https://a.dev/?a=1^&b=2" ^\n  -H "cookie: a=^$3472^$" ^\n  -H "sec-ch-ua: ^\\^"Chromium^\\^";v=^\\^"120^\\^"" ^\n  --data-raw "^{^\\^"a^\\^":^{^\\^"b^\\^":13^}^}"',
    ["https://a.dev/?a=1&b=2", "-H", "cookie: a=$3472$", "-H", 'sec-ch-ua: "Chromium";v="120"', "--data-raw", '{"a":{"b":13}}'],
  ],
  "a block of Markdown": ["```sh\ncurl https://a.dev\n```\n", ["https://a.dev"]],
  "cmd.exe with carets": [
    'curl.exe ^"https://a.dev/?a^=1^&b=^%^41^" ^\n  -d ^"^{^\\^"a^\\^":^\\^"x^\n\ny^\\^"^}^"',
    ["https://a.dev/?a=1&b=%41", "-d", '{"a":"x\ny"}'],
  ],
  "cmd.exe with plain quotes": [
    'curl "https://a.dev/%TOKEN%" ^\n -H "A: \\"b\\"" ^\n -d "c:\\d\\\\" & echo x',
    ["https://a.dev/\0TOKEN\0", "-H", 'A: "b"', "-d", "c:\\d\\"],
  ],
};

describe("the words of a cURL command", () => {
  for (const [name, [command, words]] of Object.entries(WORDS))
    it(`${name} is read`, () => assert.deepEqual(curlArguments(command), words));
});
