import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type FakeGcp, fakeGcp } from '../testing/fake-gcp.ts';
import { check, refusal } from '../testing/open.ts';

const now = new Date('2026-11-21T10:00:00Z');
const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const { privateKey, publicKey } = pair();
const email = 'scanner@acme-prod.iam.gserviceaccount.com';
const file = {
  type: 'service_account',
  project_id: 'acme-prod',
  private_key_id: '0123456789abcdef',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  client_email: email,
  client_id: '111222333',
  token_uri: 'https://oauth2.googleapis.com/token',
};
const fileWith = (change: object) => JSON.stringify({ ...file, ...change }, null, 2);
const values = {
  service_account: 'scanner',
  project_id: 'acme-prod',
  client_email: email,
  application_credentials: fileWith({}),
};
const known: FakeGcp = {
  email,
  keyId: file.private_key_id,
  publicKey,
  isEnabled: true,
  project: 'acme-prod',
  mayView: true,
  apiEnabled: true,
  state: 'ACTIVE',
};

describe('Google Cloud', () => {
  it('reads the project as the service account, with a token that Google can verify', async () => {
    const { identity, service } = await check('gcp', { values, answer: fakeGcp(known, now), now });
    expect(identity.identity).toBe(`acme-prod · ${email}`);
    expect(service.requests.map(({ path }) => path)).toEqual(['/token', '/v3/projects/acme-prod']);
    expect(JSON.stringify(service.requests)).not.toContain('PRIVATE KEY');
  });

  it.each<[string, Partial<FakeGcp>, string, string]>([
    ['a key that was replaced', { publicKey: pair().publicKey }, 'auth', 'does not belong'],
    ['a key that was deleted', { keyId: 'another' }, 'auth', 'deleted'],
    ['an unknown account', { email: 'someone@else.iam.gserviceaccount.com' }, 'auth', 'no such service account'],
    ['a disabled account', { isEnabled: false }, 'auth', 'disabled'],
    ['a missing role', { mayView: false }, 'scope', 'may not see'],
    ['a disabled API', { apiEnabled: false }, 'scope', 'enabled the API'],
    ['a project that is being deleted', { state: 'DELETE_REQUESTED' }, 'config', 'deleted'],
  ])('reports %s', async (_, differs, code, word) => {
    const error = await refusal('gcp', { values, answer: fakeGcp({ ...known, ...differs }, now), now });
    expect(error).toMatchObject({ code, message: expect.stringContaining(word), help: expect.stringMatching(/\.$/) });
  });

  it('tells a wrong clock from a wrong key', async () => {
    const error = await refusal('gcp', {
      values,
      answer: fakeGcp(known, now),
      now: new Date(now.getTime() - 3_600_000),
    });
    expect(error).toMatchObject({ code: 'auth', help: expect.stringContaining('clock') });
  });

  it.each<[string, Partial<typeof values>]>([
    ['no JSON', { application_credentials: '{ not json }' }],
    ['another kind of key file', { application_credentials: fileWith({ type: 'authorized_user' }) }],
    ['a file without key', { application_credentials: fileWith({ private_key: undefined }) }],
    ['a broken key', { application_credentials: fileWith({ private_key: '-----BEGIN PRIVATE KEY-----\nAAAA\n' }) }],
    [
      'a key that is no RSA key',
      {
        application_credentials: fileWith({
          private_key: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }),
        }),
      },
    ],
    ['a file of another account', { client_email: 'other@acme-prod.iam.gserviceaccount.com' }],
    ['a file of another project', { project_id: 'acme-test' }],
    ['another account by its address', { service_account: 'other@acme-prod.iam.gserviceaccount.com' }],
  ])('refuses %s before it asks Google', async (_, change) => {
    const answer = () => {
      throw new Error('asked');
    };
    const error = await refusal('gcp', { values: { ...values, ...change }, answer, now });
    expect(error).toMatchObject({ code: 'config', help: expect.stringContaining('whole file') });
    expect(String(error)).not.toContain('PRIVATE KEY');
  });
});
