import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type FakeOci, fakeOci } from '../testing/fake-oci.ts';
import { check, refusal } from '../testing/open.ts';

const now = new Date('2026-11-21T10:00:00Z');
const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const { privateKey, publicKey } = pair();
const values = {
  tenancy_id: 'ocid1.tenancy.oc1..aaaaaaaatenancy',
  compartment_id: 'ocid1.compartment.oc1..aaaaaaaacompartment',
  user_id: 'ocid1.user.oc1..aaaaaaaauser',
  key_fingerprint: '20:3B:97:13:55:1c:5b:0d:d3:37:d8:50:4e:c5:3a:34',
  key_value: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  region: 'eu-frankfurt-1',
};
const known: FakeOci = {
  tenancy: values.tenancy_id,
  user: values.user_id,
  fingerprint: values.key_fingerprint.toLowerCase(),
  publicKey,
  compartment: values.compartment_id,
  compartmentState: 'ACTIVE',
  region: values.region,
};

describe('Oracle OCI', () => {
  it('reads user, tenancy and compartment, with a signature that Oracle can verify', async () => {
    const { identity, service } = await check('oracle_oci', { values, answer: fakeOci(known, now), now });
    expect(identity.identity).toBe('acme · scanner@example.com');
    expect(service.requests.map(({ path }) => path)).toEqual([
      `/20160918/users/${values.user_id}`,
      `/20160918/tenancies/${values.tenancy_id}`,
      `/20160918/compartments/${values.compartment_id}`,
    ]);
  });

  it('takes the tenancy itself as compartment, and keys of both kinds of PEM', async () => {
    const pkcs1 = privateKey.export({ type: 'pkcs1', format: 'pem' });
    const whole = { ...values, compartment_id: values.tenancy_id, key_value: pkcs1 };
    const { service } = await check('oracle_oci', { values: whole, answer: fakeOci(known, now), now });
    expect(service.requests).toHaveLength(2);
  });

  it.each<[string, Partial<FakeOci>, string, string]>([
    ['a key that was replaced', { publicKey: pair().publicKey }, 'auth', 'API key'],
    ['a wrong fingerprint', { fingerprint: '00:3b' }, 'auth', 'API key'],
    ['a wrong region', { region: 'us-ashburn-1' }, 'auth', 'API key'],
    ['an unknown compartment', { compartment: 'ocid1.compartment.oc1..other' }, 'scope', 'compartment'],
    ['a deleted compartment', { compartmentState: 'DELETED' }, 'config', 'not active'],
  ])('reports %s', async (_, differs, code, word) => {
    const error = await refusal('oracle_oci', { values, answer: fakeOci({ ...known, ...differs }, now), now });
    expect(error).toMatchObject({ code, message: expect.stringContaining(word), help: expect.stringMatching(/\.$/) });
  });

  it('tells a wrong clock from a wrong key', async () => {
    const late = new Date(now.getTime() - 10 * 60_000);
    const error = await refusal('oracle_oci', { values, answer: fakeOci(known, now), now: late });
    expect(error).toMatchObject({ code: 'auth', help: expect.stringContaining('clock') });
  });

  it.each([
    ['text that is no key', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'],
    ['a key of another kind', generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })],
  ])('refuses %s without repeating it', async (_, pem) => {
    const error = await refusal('oracle_oci', {
      values: { ...values, key_value: pem },
      answer: fakeOci(known, now),
      now,
    });
    expect(error).toMatchObject({ code: 'config', help: expect.stringContaining('PEM') });
    expect(String(error)).not.toContain('BEGIN');
  });
});
