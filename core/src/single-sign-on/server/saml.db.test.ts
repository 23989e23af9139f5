import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../../tools/testing/server.ts';
import {
  assertionXml,
  IDP_ENTITY,
  idpMetadata,
  makeSigningKey,
  responseXml,
  type SamlScene,
  type SigningKey,
  sign,
} from '../../testing/saml-identity-provider.ts';

const ORIGIN = 'http://bw.example.test';
const SIGN_IN_URL = 'https://identity.example.test/redirect';

let server: TestServer;
let own: SigningKey;
let other: SigningKey;
let count = 0;

const addresses = () => {
  const entityId = `${ORIGIN}/api/v1/single-sign-on/saml/${server.users.clientId}`;
  return { entityId, acsUrl: `${entityId}/acs` };
};

interface Begun {
  requestId: string;
  cookie: string;
}

const begin = async (): Promise<Begun> => {
  const answer = await server.call('POST', '/login/single-sign-on', { body: { email: 'ann@example.test' } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const url = new URL(answer.body.data.url);
  expect(url.href).toContain(SIGN_IN_URL);
  const request = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  const requestId = /\bID="([^"]+)"/.exec(request)?.[1] ?? '';
  expect(requestId).toMatch(/^_[\w-]{43}$/);
  expect(request).toContain(`AssertionConsumerServiceURL="${addresses().acsUrl}"`);
  return { requestId, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
};

const sceneOf = (requestId: string, changes: Partial<SamlScene> = {}): SamlScene => {
  count += 1;
  const { acsUrl, entityId } = addresses();
  return {
    requestId,
    acsUrl,
    audience: entityId,
    issuer: IDP_ENTITY,
    nameId: `person${count}@example.test`,
    attributes: {},
    recipient: acsUrl,
    destination: acsUrl,
    notBefore: -5,
    notOnOrAfter: 120,
    assertionId: `_assertion${count}`,
    ...changes,
  };
};

const right = (scene: SamlScene, key = own): string => sign(responseXml(scene, assertionXml(scene)), key);

/** As the page of the provider posts it: from another site, without our cookies. */
const post = async (xml: string): Promise<string> => {
  const response = await fetch(`${server.baseUrl}/api/v1/single-sign-on/saml/${server.users.clientId}/acs`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: 'https://identity.example.test', 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: '//evil.example' }),
  });
  expect(response.status).toBe(303);
  expect(response.headers.getSetCookie()).toEqual([]);
  const to = new URL(response.headers.get('location') ?? '', ORIGIN);
  expect(`${to.origin}${to.pathname}`).toBe(`${ORIGIN}/login/single-sign-on/${server.users.clientId}`);
  return to.searchParams.get('ticket') ?? '';
};

const finish = (ticket: string, cookie: string) =>
  server.call('POST', `/login/single-sign-on/${server.users.clientId}/finish`, {
    body: { ticket },
    headers: { cookie },
  });

const sessionOf = (answer: { headers: Headers }): string | undefined =>
  answer.headers
    .getSetCookie()
    .find((one) => one.startsWith('accessToken='))
    ?.split(';')[0]
    ?.split('=')[1];

const signIn = async (build: (scene: SamlScene) => string, changes: Partial<SamlScene> = {}) => {
  const { requestId, cookie } = await begin();
  const scene = sceneOf(requestId, changes);
  const answer = await finish(await post(build(scene)), cookie);
  return { answer, scene, cookie, token: sessionOf(answer) };
};

const whoIs = async (token: string | undefined) =>
  (await server.call('GET', '/session', { as: { token: token ?? '' } })).body.data?.user;

const save = (body: unknown) => server.call('PUT', '/single-sign-on', { as: 'admin', body });

beforeAll(async () => {
  server = await startTestServer({ environment: { BREAKWATER_PUBLIC_URL: ORIGIN } });
  await server.scene.owner.query(`update users set email = id || '@platform.test' where role = 'superadmin'`);
  [own, other] = [makeSigningKey(), makeSigningKey()];
  const saved = await save({
    protocol: 'saml',
    saml_metadata: idpMetadata(own, SIGN_IN_URL),
    domains: ['example.test'],
    is_enabled: true,
    role_rules: [{ group: 'security', role: 'cyberoper' }],
  });
  expect(saved.body, JSON.stringify(saved.body)).toMatchObject({
    data: { saml_entity_id: IDP_ENTITY, saml_sign_in_url: SIGN_IN_URL },
  });
});
afterAll(() => server.close());
beforeEach(() => server.scene.owner.query('truncate rate_limits'));

describe('a SAML response', () => {
  test('signs a person in, with the role of their groups', async () => {
    const attributes = { email: 'Saml.Ann@example.test', groups: ['staff', 'security'], displayName: 'Ann Other' };
    const { token } = await signIn(right, { attributes, nameId: 'opaque-4711' });
    expect(await whoIs(token)).toMatchObject({
      email: 'Saml.Ann@example.test',
      username: 'Ann Other',
      role: 'cyberoper',
    });
    const again = await signIn(right, { nameId: 'opaque-4711' });
    expect((await whoIs(again.token)).email).toBe('Saml.Ann@example.test');
  });

  test('may be signed as a whole besides, and an e-mail may be the NameID', async () => {
    const both = (scene: SamlScene) => sign(right(scene), own, { element: 'Response' });
    const { token, scene } = await signIn(both);
    expect(await whoIs(token)).toMatchObject({ email: scene.nameId, role: 'developer' });
  });

  test('reads a NameID with a comment in it as a whole', async () => {
    // CVE-2018-0489 and others: the text behind a comment was cut off
    const cut = 'ann@example.test<!-- -->.evil.test';
    const { answer } = await signIn(right, { nameId: cut });
    expect(answer.body.detail).toMatch(/ann@example\.test\.evil\.test is not of a domain/);
  });

  test('counts for the browser that began, once', async () => {
    const { requestId, cookie } = await begin();
    const xml = right(sceneOf(requestId));
    const ticket = await post(xml);
    const stranger = await begin();
    for (const refused of [
      await finish(ticket, stranger.cookie),
      await finish('none', cookie),
      await finish('x', ''),
    ]) {
      expect(refused.body).toMatchObject({
        code: 'single_sign_on_refused',
        detail: expect.stringMatching(/not begun/),
      });
    }
    expect((await finish(ticket, cookie)).status).toBe(200);
    expect((await finish(ticket, cookie)).status).toBe(403);
    expect(await post(xml)).toBe('none');
  });

  test('is accepted once, though 20 arrive at the same time', async () => {
    const { requestId } = await begin();
    const xml = right(sceneOf(requestId));
    const tickets = await Promise.all(Array.from({ length: 20 }, () => post(xml)));
    expect(tickets.filter((ticket) => ticket !== 'none')).toHaveLength(1);
  });

  test('an assertion is not accepted again for another sign-in of the same request id', async () => {
    const first = await begin();
    const scene = sceneOf(first.requestId);
    const xml = right(scene);
    await post(xml);
    // the request is put back, as if its deletion had been lost
    await server.scene.owner.query(
      `insert into single_sign_on_requests (client_id, state_hash, browser_hash, purpose, return_path, expires_at)
       values ($1, sha256($2), sha256($2), 'sign-in', '/', now() + interval '1 minute')`,
      [server.users.clientId, Buffer.from(first.requestId.slice(1))],
    );
    const ticket = await post(xml);
    expect((await finish(ticket, `signIn=${first.requestId.slice(1)}`)).body.detail).toMatch(/used already/);
  });
});

const evilOf = (scene: SamlScene): string =>
  assertionXml({ ...scene, nameId: 'admin@example.test', assertionId: `${scene.assertionId}evil` });

const SIGNATURE = /<Signature[\s\S]*<\/Signature>/;

/** XML signature wrapping. Source: Somorovsky et al., "On Breaking SAML" (USENIX Security 2012), XSW1 to XSW8. */
const WRAPPED: [string, (scene: SamlScene) => string][] = [
  [
    'XSW1: the signed response inside a forged one',
    (scene) => {
      const signed = sign(responseXml(scene, assertionXml(scene)), own, { element: 'Response' });
      const forged = responseXml({ ...scene, assertionId: `${scene.assertionId}x` }, evilOf(scene));
      return forged.replace('</samlp:Response>', `${signed}</samlp:Response>`);
    },
  ],
  [
    'XSW2: the signed response as an object of the signature',
    (scene) => {
      const signed = sign(responseXml(scene, assertionXml(scene)), own, { element: 'Response' });
      const signature = SIGNATURE.exec(signed)?.[0] ?? '';
      return signed
        .replace(
          SIGNATURE,
          signature.replace('</Signature>', `<Object>${signed.replace(SIGNATURE, '')}</Object></Signature>`),
        )
        .replace(scene.nameId, 'admin@example.test');
    },
  ],
  [
    'XSW3: a forged assertion before the signed one',
    (scene) => right(scene).replace('<saml:Assertion', `${evilOf(scene)}<saml:Assertion`),
  ],
  [
    'XSW4: the signed assertion inside a forged one',
    (scene) => {
      const signed = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(right(scene))?.[0] ?? '';
      return responseXml(scene, evilOf(scene).replace('</saml:Assertion>', `${signed}</saml:Assertion>`));
    },
  ],
  [
    'XSW7: a forged assertion among extensions',
    (scene) =>
      right(scene).replace('<samlp:Status>', `<samlp:Extensions>${evilOf(scene)}</samlp:Extensions><samlp:Status>`),
  ],
  [
    'XSW8: the signed assertion as an object of the signature of a forged one',
    (scene) => {
      const signed = right(scene);
      const signature = SIGNATURE.exec(signed)?.[0] ?? '';
      const original = (/<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(signed)?.[0] ?? '').replace(SIGNATURE, '');
      const wrapping = signature.replace('</Signature>', `<Object>${original}</Object></Signature>`);
      return responseXml(scene, evilOf(scene).replace('</saml:Issuer>', `</saml:Issuer>${wrapping}`));
    },
  ],
  [
    'the same id twice',
    (scene) => right(scene).replace('<samlp:Status>', `<x xmlns="urn:x" ID="${scene.assertionId}"/><samlp:Status>`),
  ],
];

const REFUSED: [string, (scene: SamlScene) => string, RegExp][] = [
  ...WRAPPED.map(([name, build]): [string, (scene: SamlScene) => string, RegExp] => [name, build, /./]),
  ['no signature', (scene) => responseXml(scene, assertionXml(scene)), /Invalid signature/],
  [
    'a signature of the response alone',
    (scene) => sign(responseXml(scene, assertionXml(scene)), own, { element: 'Response' }),
    /signature/,
  ],
  ['the signature of another key', (scene) => right(scene, other), /signature/],
  ['a signature by SHA-1', (scene) => sign(responseXml(scene, assertionXml(scene)), own, { hash: 'sha1' }), /too weak/],
  ['an altered NameID', (scene) => right(scene).replace(scene.nameId, 'admin@example.test'), /signature/],
  [
    'an altered attribute',
    (scene) => right({ ...scene, attributes: { groups: 'staff' } }).replace('>staff<', '>security<'),
    /signature/,
  ],
  ['another audience', (scene) => right({ ...scene, audience: 'https://other.example' }), /audience/],
  ['another recipient', (scene) => right({ ...scene, recipient: 'https://other.example/acs' }), /another recipient/],
  ['another destination', (scene) => right({ ...scene, destination: 'https://other.example/acs' }), /another address/],
  ['another issuer', (scene) => right({ ...scene, issuer: 'https://evil.example' }), /another identity provider/],
  ['an end in the past', (scene) => right({ ...scene, notOnOrAfter: -300 }), /subject confirmation|expired/],
  ['a beginning in the future', (scene) => right({ ...scene, notBefore: 600 }), /not yet valid/],
  ['an e-mail of a foreign domain', (scene) => right({ ...scene, nameId: 'eve@evil.test' }), /not of a domain/],
  ['a NameID that is empty', (scene) => right({ ...scene, nameId: ' ' }), /names nobody/],
  [
    'the answer to another sign-in in its signed part',
    (scene) => right(scene).replace(/InResponseTo="[^"]+" Recipient/, 'InResponseTo="_other" Recipient'),
    /./,
  ],
  [
    'an encrypted assertion',
    (scene) => responseXml(scene, '<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>'),
    /encrypted/,
  ],
];

describe('a SAML response is refused', () => {
  test.each(REFUSED)('with %s', async (_what, build, detail) => {
    const { requestId, cookie } = await begin();
    const ticket = await post(build(sceneOf(requestId)));
    const answer = await finish(ticket, cookie);
    expect(answer).toMatchObject({ status: 403, body: { code: 'single_sign_on_refused' } });
    expect(sessionOf(answer)).toBeUndefined();
    // what cannot even be read answers no sign-in: it leaves that of the person alone
    if (ticket !== 'none') expect(answer.body.detail).toMatch(detail);
    else expect(answer.body.detail).toMatch(/not begun/);
    const { rows } = await server.scene.owner.query(
      `select from users where email in ('admin@example.test', 'eve@evil.test')`,
    );
    expect(rows).toHaveLength(0);
  });

  test.each([
    ['unsolicited', (scene: SamlScene) => right(scene).replace(/ InResponseTo="[^"]+"/, '')],
    ['of a request that nobody made', (scene: SamlScene) => right({ ...scene, requestId: `_${'x'.repeat(43)}` })],
    [
      'with a document type',
      (scene: SamlScene) => `<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]>${right(scene)}`,
    ],
    [
      'with entities that grow',
      (scene: SamlScene) => `<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${right(scene)}`,
    ],
    ['that is no XML', () => 'hello'],
    ['that is empty', () => ''],
    ['that is nested deeply', () => `${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}`],
    ['of another kind', () => '<samlp:LogoutResponse xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"/>'],
  ])('%s', async (_what, build) => {
    const { requestId } = await begin();
    expect(await post(build(sceneOf(requestId)))).toBe('none');
  });

  test('where it is huge', async () => {
    const response = await fetch(`${server.baseUrl}/api/v1/single-sign-on/saml/${server.users.clientId}/acs`, {
      method: 'POST',
      body: new URLSearchParams({ SAMLResponse: 'A'.repeat(1_000_000) }),
    }).catch(() => undefined);
    expect([413, undefined]).toContain(response?.status);
  });

  test('with a field that the binding does not have', async () => {
    const response = await fetch(`${server.baseUrl}/api/v1/single-sign-on/saml/${server.users.clientId}/acs`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ SAMLResponse: 'PHg+', role: 'admin' }),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'bad_request' });
  });
});

test('clocks that differ by a minute do not matter', async () => {
  expect((await signIn(right, { notBefore: 60 })).answer.status).toBe(200);
  expect((await signIn(right, { notOnOrAfter: -60 })).answer.status).toBe(200);
});

test('the metadata of this server names where responses go, and that assertions are to be signed', async () => {
  const { body, headers } = await server.call('GET', `/single-sign-on/saml/${server.users.clientId}`);
  expect(headers.get('content-type')).toContain('application/samlmetadata+xml');
  expect(body).toContain(`entityID="${addresses().entityId}"`);
  expect(body).toContain(`Location="${addresses().acsUrl}"`);
  expect(body).toContain('WantAssertionsSigned="true"');
});

test.each([
  ['no XML', 'hello', /no XML/],
  ['a document type', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>', /document type/],
  ['no provider', '<x/>', /exactly one identity provider/],
  ['no address', idpWithout('SingleSignOnService'), /no address/],
  ['no certificate', idpWithout('X509Certificate'), /no certificate/],
])('metadata with %s is refused', async (_what, metadata, msg) => {
  const answer = await save({ saml_metadata: metadata });
  expect(answer.status).toBe(422);
  expect(answer.body.detail[0]).toMatchObject({ loc: ['body', 'saml_metadata'], msg: expect.stringMatching(msg) });
});

function idpWithout(element: string): string {
  return idpMetadata({ key: '', certificate: 'AAAA' }, SIGN_IN_URL).replaceAll(`:${element}`, ':Other');
}
