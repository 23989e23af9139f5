import type { FieldIssue } from '../../platform/model/app-error.ts';
import { COMMON_PASSWORD_WORDS, COMMON_PASSWORDS } from './common-passwords.ts';

export const MIN_PASSWORD_LENGTH = 8;

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};

/** `P@ssw0rd2024!` is built on `password`. */
const wordOf = (password: string): string =>
  password
    .toLowerCase()
    .replace(/[^a-z]+$/, '')
    .replace(/^[^a-z@$]+/, '')
    .replace(/[^a-z]/g, (sign) => LOOK_ALIKES[sign] ?? '');

export const isCommonPassword = (password: string): boolean =>
  COMMON_PASSWORDS.has(password.toLowerCase()) || COMMON_PASSWORD_WORDS.has(wordOf(password));

/** What is wrong with a new password, in words for its owner; empty when it is fine. Source: decisions.md "Session". */
export const passwordFaults = (password: string): string[] => {
  const faults: string[] = [];
  if ([...password].length < MIN_PASSWORD_LENGTH) faults.push(`Use at least ${MIN_PASSWORD_LENGTH} characters.`);
  if (!/\p{Lu}/u.test(password)) faults.push('Use an upper-case letter.');
  if (!/\p{Nd}/u.test(password)) faults.push('Use a digit.');
  if (!/[^\p{L}\p{N}\s]/u.test(password)) faults.push('Use a special character, such as ! or -.');
  if (faults.length === 0 && isCommonPassword(password)) faults.push('This password is too common. Choose another.');
  return faults;
};

/** The same as faults of a request body. */
export const passwordFieldFaults = (password: string, confirmation: string): FieldIssue[] => [
  ...passwordFaults(password).map((msg) => ({ loc: ['body', 'password'], msg, type: 'password_policy' })),
  ...(password === confirmation
    ? []
    : [{ loc: ['body', 'confirm_password'], msg: 'The two passwords differ.', type: 'password_mismatch' }]),
];
