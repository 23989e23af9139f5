import { POSTURE_CHECKS, type PostureAnswer } from '@breakwater/sdk';
import { expect, test } from 'vitest';
import { postureStates } from './posture.ts';

const answer = (extra: Partial<PostureAnswer>): PostureAnswer => ({
  ...{ check: 'force-pushes', state: 'ok', detail: 'Refused.', ...extra },
});
const of = (...answers: PostureAnswer[]) => postureStates(answers).find(({ check }) => check === 'force-pushes');

test('every setting once; of what is not answered nothing is known', () => {
  const states = postureStates([answer({})]);
  expect(states.map(({ check }) => check)).toEqual([...POSTURE_CHECKS]);
  expect(states.filter(({ state }) => state !== 'unknown').map(({ check }) => check)).toEqual(['force-pushes']);
});

test('of two answers the worse counts: right is only what was seen to be right everywhere', () => {
  expect(of(answer({}), answer({ state: 'unknown' }))).toMatchObject({ state: 'unknown' });
  expect(of(answer({ state: 'at-risk' }), answer({ state: 'unknown' }), answer({}))).toMatchObject({
    state: 'at-risk',
  });
});

test('texts of a provider are one line without control or turning characters, and addresses are of the web', () => {
  const hostile = { detail: `a\u0000\n\u202Eb${'x'.repeat(5000)}`, branch: 'm\nain', url: 'javascript:alert(1)' };
  const state = of(answer(hostile));
  expect(state).toMatchObject({ branch: 'm ain', url: null });
  expect(state?.detail).toMatch(/^a \\u202Eb/);
  expect(state?.detail.length).toBe(1000);
  expect(of(answer({ url: 'https://a.example/x' }))).toMatchObject({ url: 'https://a.example/x' });
  expect(of(answer({ url: 'no address' }))).toMatchObject({ url: null });
});
