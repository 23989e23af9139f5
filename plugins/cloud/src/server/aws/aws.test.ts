import { describe, expect, it } from 'vitest';
import { fakeAws } from '../testing/fake-aws.ts';
import { check, refusal } from '../testing/open.ts';

const now = new Date('2026-11-21T10:00:00Z');
/** The example key of AWS's own documentation. */
const values = {
  access_key_id: 'AKIAIOSFODNN7EXAMPLE',
  secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const key = { id: values.access_key_id, secret: values.secret_access_key, isActive: true };

describe('AWS', () => {
  it('says whose key it is, with a signature that AWS can recompute', async () => {
    const { identity, service } = await check('aws', { values, answer: fakeAws(key, now), now });
    expect(identity.identity).toBe('123456789012 · arn:aws:iam::123456789012:user/Alice');
    expect(service.requests).toHaveLength(1);
    expect(JSON.stringify(service.requests)).not.toContain(values.secret_access_key);
  });

  it.each([
    [
      'a wrong secret',
      { secret_access_key: `${values.secret_access_key.slice(0, -1)}Z` },
      {},
      'auth',
      'SignatureDoesNotMatch',
    ],
    ['an unknown key', { access_key_id: 'AKIAIOSFODNN7EXAMPLF' }, {}, 'auth', 'InvalidClientTokenId'],
    ['a deactivated key', {}, { isActive: false }, 'auth', 'InvalidClientTokenId'],
  ])('reports %s', async (_, change, known, code, word) => {
    const error = await refusal('aws', {
      values: { ...values, ...change },
      answer: fakeAws({ ...key, ...known }, now),
      now,
    });
    expect(error).toMatchObject({ code, message: expect.stringContaining(word), help: expect.stringMatching(/\.$/) });
  });

  it('tells a wrong clock from a wrong key', async () => {
    const late = new Date(now.getTime() - 20 * 60_000);
    const error = await refusal('aws', { values, answer: fakeAws(key, now), now: late });
    expect(error).toMatchObject({ code: 'auth', help: expect.stringContaining('clock') });
  });

  it.each([
    ['Throttling', 400, 'rate_limited'],
    ['AccessDenied', 403, 'scope'],
    ['SomethingNew', 400, 'upstream'],
  ])('knows what %s means', async (word, status, code) => {
    const body = `<ErrorResponse><Error><Code>${word}</Code></Error></ErrorResponse>`;
    expect(await refusal('aws', { values, answer: () => ({ status, body }), now })).toMatchObject({ code });
  });

  it('takes no web page for an answer', async () => {
    expect(await refusal('aws', { values, answer: () => ({ body: '<html>Sign in</html>' }), now })).toMatchObject({
      code: 'upstream',
    });
  });
});
