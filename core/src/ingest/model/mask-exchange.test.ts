import { expect, test } from 'vitest';
import { maskExchange, withoutSecrets } from './mask-exchange.ts';

const CANARY = 'c4nary-S3cret';
const request = (text: string): string => maskExchange({ request: text }).http.request ?? '';

/** Each holds the canary; what stands behind the arrow has to stay. */
const MESSAGES: readonly (readonly [text: string, kept: string])[] = [
  [
    `GET / HTTP/1.1\r\nAuthorization: Bearer ${CANARY}\r\nHost: a.example`,
    'Authorization: Bearer ********\r\nHost: a.example',
  ],
  [`authorization:${CANARY}`, 'authorization:********'],
  [`Authorization : ${CANARY} with spaces`, 'Authorization : ********'],
  [`Authorization: Digest username="admin", response="${CANARY}"`, 'Authorization: Digest ********'],
  [`Proxy-Authorization: NTLM ${CANARY}`, 'Proxy-Authorization: NTLM ********'],
  [`Cookie: theme=dark; sid=${CANARY}`, 'Cookie: theme=********; sid=********'],
  [`Cookie: ${CANARY}`, 'Cookie: ********'],
  [`> Cookie: sid="${CANARY}"`, '> Cookie: sid=********'],
  [`Set-Cookie: sid=${CANARY}; Path=/; HttpOnly; SameSite=Lax`, 'sid=********; Path=/; HttpOnly; SameSite=Lax'],
  [
    `Set-Cookie: a=b; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/, sid=${CANARY}; Secure`,
    'Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=********; Secure',
  ],
  [`Set-Cookie: a=b; note=${CANARY}`, 'note=********'],
  [`X-Api-Key: ab\r\n ${CANARY}\r\nHost: a`, 'X-Api-Key: ********\r\n ********\r\nHost: a'],
  [`X-Amz-Security-Token: ${CANARY}`, 'X-Amz-Security-Token: ********'],
  [`Private-Token: ${CANARY}`, 'Private-Token: ********'],
  [`X-CSRF-Token: ${CANARY}\nAccept: */*`, 'X-CSRF-Token: ********\nAccept: */*'],
  [`X-Api-Key: ${CANARY}\rHost: a`, 'X-Api-Key: ********\rHost: a'],
  [`Referer: https://a.example/?x=1&access_token=${CANARY}&y=2`, 'x=1&access_token=********&y=2'],
  [`Location: https://user:${CANARY}@a.example/home`, 'https://user:********@a.example/home'],
  [`GET /?next=%2Fa%3Ftoken%3D${CANARY}%26b%3D1 HTTP/1.1`, 'token%3D********%26b%3D1'],
  [`GET /;jsessionid=${CANARY} HTTP/1.1`, 'GET /;jsessionid=******** HTTP/1.1'],
  [`a=1&user[password]=${CANARY}&b=2`, 'a=1&user[password]=********&b=2'],
  [`a=1&p%61ssword=${CANARY}`, 'a=1&p%61ssword=********'],
  [`{"user":"ann","password": "${CANARY}","n":1}`, '{"user":"ann","password": "********","n":1}'],
  [`{"passw\\u006frd":"a\\"b${CANARY}","n":1}`, '"********","n":1}'],
  [`{"password":\n  "${CANARY}"\n}`, '"password":\n  "********"\n}'],
  [`{"tokens":["a","${CANARY}"],"n":1}`, '{"tokens":********,"n":1}'],
  [`{"credentials":{"user":"}","value":"${CANARY}"},"n":1}`, '{"credentials":********,"n":1}'],
  [`{"body":"{\\"password\\":\\"x\\\\\\"${CANARY}\\",\\"n\\":1}"}`, '\\"password\\":\\"********\\",\\"n\\":1}"}'],
  [`{"secret":"cut off ${CANARY}`, '{"secret":"********'],
  [
    `<login><ns:Password type="t">${CANARY}</ns:Password><n>1</n></login>`,
    '<ns:Password type="t">********</ns:Password><n>1',
  ],
  [`<token><value>${CANARY}</value></token><n>1</n>`, '<token>********</token><n>1</n>'],
  [`<secret>${CANARY}`, '<secret>********'],
  [`<input value="${CANARY}" type='password'><p>Hi</p>`, `<input value="********" type='password'><p>Hi</p>`],
  [`<input name=csrf_token value=${CANARY}>`, '<input name=csrf_token value=********>'],
  [`<meta name="csrf-token" content='${CANARY}'>`, `<meta name="csrf-token" content='********'>`],
  [
    `--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n${CANARY}\r\nsecond ${CANARY}\r\n--b\r\nContent-Disposition: form-data; name="n"\r\n\r\n1`,
    'name="password"\r\n\r\n********\r\n********\r\n--b\r\nContent-Disposition: form-data; name="n"\r\n\r\n1',
  ],
  [`hello\n-----BEGIN RSA PRIVATE KEY-----\n${CANARY}\n-----END RSA PRIVATE KEY-----\nbye`, 'bye'],
  [`WWW-Authenticate: Negotiate ${CANARY}`, 'WWW-Authenticate: Negotiate ********'],
  [`password: ${CANARY}\nname: x`, 'password: ********\nname: x'],
  [`var config = { apiKey: '${CANARY}', n: 1 }`, "apiKey: '********', n: 1"],
];

test.each(MESSAGES)('%s', (text, kept) => {
  expect(text).toContain(CANARY);
  const masked = request(text);
  expect(masked).not.toContain(CANARY);
  expect(masked).toContain(kept);
  expect(request(masked)).toBe(masked);
});

test.each([
  [`curl -u 'admin:${CANARY}' https://a.example/`, "curl -u 'admin:********' https://a.example/"],
  [`curl -sSu admin:${CANARY} https://a.example/`, 'curl -sSu admin:******** https://a.example/'],
  [`curl -uadmin:${CANARY} -k`, 'curl -uadmin:******** -k'],
  [`curl --user=admin:${CANARY} -k`, 'curl --user=admin:******** -k'],
  [
    `curl -H 'Authorization: Bearer ${CANARY}' -H 'Accept: */*'`,
    "-H 'Authorization: Bearer ********' -H 'Accept: */*'",
  ],
  [`curl -H "Cookie: a=b; sid=${CANARY}" -X POST`, '-H "Cookie: a=********; sid=********" -X POST'],
  [`curl -H 'X-Token: it'\\''s ${CANARY}' -X POST`, '-X POST'],
  [`curl -H'X-Api-Key: ${CANARY}' -X POST`, "-H'X-Api-Key: ********' -X POST"],
  [`curl -b sid=${CANARY} -X POST`, 'curl -b sid=******** -X POST'],
  [`curl --oauth2-bearer ${CANARY} -X POST`, '--oauth2-bearer ******** -X POST'],
  [`curl --data $'{"password":"${CANARY}","n":1}' -X POST`, `--data $'{"password":"********","n":1}' -X POST`],
  [`curl -d "{\\"password\\":\\"${CANARY}\\"}" -X POST`, '-d "{\\"password\\":\\"********\\"}" -X POST'],
  [
    `curl \\\n  -d 'user=a&password=${CANARY}' \\\n  'https://a.example/?token=${CANARY}'`,
    "'https://a.example/?token=********'",
  ],
])('%s', (text, kept) => {
  const { curl } = maskExchange({ curl: text }).http;
  expect(curl).not.toContain(CANARY);
  expect(curl).toContain(kept);
  expect(maskExchange({ curl: curl ?? '' }).http.curl).toBe(curl);
});

test.each([
  'GET /search?q=author&page=2&keyword=x HTTP/1.1\r\nHost: a.example\r\nAccept: text/html, */*;q=0.8\r\nETag: "abc"\r\n\r\n',
  'HTTP/1.1 200 OK\r\nAccess-Control-Allow-Headers: Authorization, Cookie\r\nWWW-Authenticate: Basic realm="Internal"\r\nContent-Length: 12\r\n\r\n<h1>Basic authentication</h1>',
  '{"user":"ann","spin":4,"password":null,"hasToken":true,"key":"short","code":200,"uri":"https://a.example/"}',
  '<script>alert(1)</script><input name="q" value="x"><password/>',
  "curl -X POST -d 'q=<svg/onload=alert(1)>' 'https://a.example/?q=%3Cscript%3E' -H 'Accept: */*' --max-time 10",
])('what is no secret stays: %s', (text) => {
  expect(maskExchange({ request: text, curl: text }).http).toEqual({ request: text, curl: text });
});

test('what is masked in one place is masked where it is repeated, in other spellings too', () => {
  const { http, mask } = maskExchange({
    request: `Authorization: Basic ${btoa(`ann:${CANARY}`)}\r\nCookie: sid=a%2Fb%2Bc123`,
    response: `You are ann with ${CANARY} and a/b+c123`,
  });
  expect(http.response).toBe('You are ann with ******** and ********');
  expect(mask(`The server repeats ${CANARY}.`)).toBe('The server repeats ********.');
});

test('a finding keeps no secret of its exchange in its texts, and one without exchange is not touched', () => {
  const plain = { kind: 'finding', ruleId: 'R', title: 'T', type: 'DAST', severity: 'high' } as const;
  expect(withoutSecrets(plain)).toBe(plain);
  const masked = withoutSecrets({
    ...plain,
    description: `sid is ${CANARY}`,
    mitigation: `not ${CANARY}`,
    locations: [{ path: 'https://a.example/', snippet: `sid=${CANARY}` }],
    http: { request: `Pass\0word: ${CANARY}`, response: `${'x'.repeat(79_990)} ${CANARY}` },
  });
  const response = masked.http?.response?.slice(0, 65_536);
  expect(JSON.stringify({ ...masked, http: { ...masked.http, response } })).not.toContain(CANARY.slice(0, 8));
});

test.each([
  'password=',
  '"password":"',
  '<token>',
  '<a',
  '://a:',
  '{"token":{',
  '\\"',
  'eyJ-',
  '-----BEGIN ',
  "-H '",
  '= ',
  'cookie:\n ',
])('a message of nothing but %j is read to its end', (part) => {
  const text = part.repeat(Math.ceil(80_000 / part.length));
  expect(typeof maskExchange({ request: text, response: text, curl: text }).http.curl).toBe('string');
});
