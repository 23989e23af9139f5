import { describe, expect, it } from 'vitest';
import { readAnswer, Type } from './answer.ts';
import { isConnectorError } from './errors.ts';

const User = Type.Object({ login: Type.String(), plan: Type.Optional(Type.Object({ seats: Type.Integer() })) });

const refusalOf = (answer: unknown): unknown => {
  try {
    return readAnswer(User, answer);
  } catch (error) {
    return error;
  }
};

describe('readAnswer', () => {
  it('gives what was described and leaves the rest in place', () => {
    expect(readAnswer(User, { login: 'mona', site_admin: true }).login).toBe('mona');
  });

  it.each([
    [null, 'the answer'],
    ['<html>', 'the answer'],
    [{}, 'the answer'],
    [{ login: 7 }, '"login"'],
    [{ login: 'mona', plan: { seats: 'many' } }, '"plan.seats"'],
  ])('refuses %j and says where', (answer, place) => {
    const refusal = refusalOf(answer);
    expect(isConnectorError(refusal) && refusal.code).toBe('upstream');
    expect(String(refusal)).toContain(place);
  });

  it('repeats no value of the answer', () => {
    expect(String(refusalOf({ login: ['canary-secret'] }))).not.toContain('canary-secret');
  });
});
