import { expect, test } from 'vitest';
import { passwordFieldIssues, passwordIssues } from './password-policy.ts';

test.each(['Tr0ub4dor&3', 'correct-Horse-9', 'Ünïcode-7-Wörter'])('%s is accepted', (password) => {
  expect(passwordIssues(password)).toEqual([]);
});

test.each([
  ['short1!', 2],
  ['nouppercase1!', 1],
  ['NoDigits!!', 1],
  ['NoSpecial11', 1],
  ['', 4],
])('%s has %i errors', (password, count) => {
  expect(passwordIssues(password)).toHaveLength(count);
});

test.each(['Password1!', 'P@ssw0rd2024!', 'Pa$$w0rd!', 'Welcome1!', 'Admin@123', '1Qaz@wsx', 'Summer2026!'])(
  '%s is too common',
  (password) => {
    expect(passwordIssues(password)).toEqual(['This password is too common. Choose another.']);
  },
);

test('a confirmation that differs is an error of its own', () => {
  expect(passwordFieldIssues('Tr0ub4dor&3', 'other')).toEqual([
    { loc: ['body', 'confirm_password'], msg: 'The two passwords differ.', type: 'password_mismatch' },
  ]);
});
