import { expect, it } from 'vitest';
import { ConnectorError } from './errors.ts';
import { readAnswer, Type } from './read-answer.ts';

const User = Type.Object({ login: Type.String({ minLength: 1 }), teams: Type.Optional(Type.Array(Type.Integer())) });

it('gives the answer back, fields that nobody asked for included', () => {
  const answer = { login: 'ada', plan: 'free' };
  expect(readAnswer(User, answer)).toBe(answer);
});

it.each<[string, Parameters<typeof readAnswer>[1], string]>([
  ['another document', [], 'Its answer must be object'],
  ['no document', null, 'Its answer must be object'],
  ['a missing field', { name: 'ada' }, '"login" in its answer is missing'],
  ['an empty field', { login: '' }, '"login" in its answer is empty'],
  ['a field of another type', { login: 'ada', teams: ['geheim'] }, '"teams.0" in its answer must be integer'],
])('names the place of %s, and no value', (_, answer, message) => {
  const read = () => readAnswer(User, answer);
  expect(read).toThrow(ConnectorError);
  expect(read).toThrow(expect.objectContaining({ code: 'upstream', message: expect.stringContaining(message) }));
  expect(read).not.toThrow('geheim');
});
