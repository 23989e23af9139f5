import type { FieldIssue } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { nameIssues } from '../../platform/model/plain-name.ts';

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
    // at most 1,000 characters
    .replace(/[^a-z]+$/, '')
    .replace(/^[^a-z@$]+/, '')
    .replace(/[^a-z]/g, (sign) => LOOK_ALIKES[sign] ?? '');

export const isCommonPassword = (password: string): boolean =>
  COMMON_PASSWORDS.has(password.toLowerCase()) || COMMON_PASSWORD_WORDS.has(wordOf(password));

/** What is wrong with a new password, in words for its owner; empty when it is fine. Source: decisions.md "Session". */
export const passwordIssues = (password: string): string[] => {
  const issues: string[] = [];
  if ([...password].length < MIN_PASSWORD_LENGTH) issues.push(msg('Use at least 8 characters.'));
  if (!/\p{Lu}/u.test(password)) issues.push(msg('Use an upper-case letter.'));
  if (!/\p{Nd}/u.test(password)) issues.push(msg('Use a digit.'));
  if (!/[^\p{L}\p{N}\s]/u.test(password)) issues.push(msg('Use a special character, such as ! or -.'));
  if (issues.length === 0 && isCommonPassword(password))
    issues.push(msg('This password is too common. Choose another.'));
  return issues;
};

/** The same as errors of a request body. */
export const passwordFieldIssues = (password: string, confirmation: string): FieldIssue[] => [
  ...passwordIssues(password).map((issue) => ({ loc: ['body', 'password'], msg: issue, type: 'password_policy' })),
  ...(password === confirmation
    ? []
    : [{ loc: ['body', 'confirm_password'], msg: msg('The two passwords differ.'), type: 'password_mismatch' }]),
];

/** A username that is somebody's e-mail would make two people answer to one name. */
const isForeignEmail = (username: string, email: string): boolean =>
  username.includes('@') && username.trim().toLowerCase() !== email.trim().toLowerCase();

/** What is wrong with a username: nobody can see it, or it could be mistaken for somebody else. */
export const usernameIssues = (username: string, email: string): FieldIssue[] => [
  ...nameIssues('username', username, msg('Enter a username.')),
  ...(isForeignEmail(username, email)
    ? [{ loc: ['body', 'username'], msg: msg('A username holds no @, unless it is your e-mail.'), type: 'username' }]
    : []),
];

/** All that is wrong with the fields of a new account. */
export const newAccountIssues = (account: {
  email: string;
  username: string;
  password: string;
  confirm_password: string;
}): FieldIssue[] => [
  ...usernameIssues(account.username, account.email),
  ...passwordFieldIssues(account.password, account.confirm_password),
];

/** Words on which the most used passwords are built. A password that is one of them plus digits and signs is refused. */
export const COMMON_PASSWORD_WORDS: ReadonlySet<string> = new Set(
  `password passwort passwd pass secret welcome willkommen bienvenue qwerty qwertz azerty qwertyuiop asdfgh asdfghjkl zxcvbn
  zxcvbnm letmein iloveyou changeme default trustno monkey dragon master shadow sunshine princess football baseball
  basketball superman batman spiderman pokemon starwars michael jordan jennifer jessica charlie ashley daniel thomas
  andrew joshua matthew robert hunter ranger buster soccer hockey killer george summer winter spring autumn january
  february march april june july august september october november december monday tuesday wednesday thursday friday
  saturday sunday whatever freedom computer internet samsung google facebook linkedin adobe cheese cookie flower ginger
  pepper banana purple orange silver golden diamond angel lovely loveme mustang corvette ferrari porsche mercedes yankees
  arsenal chelsea liverpool barcelona juventus london berlin paris newyork america canada australia hello helloworld
  abcd abcde abcdef abcdefg abcdefgh aaaaaa access account login user username test testing tester guest temp temporary
  root administrator sysadmin support service security hallo schatz motdepasse contrasena senha parola wachtwoord haslo`.split(
    /\s+/,
  ),
);

/** Often used as they stand. Lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set([
  'admin@123',
  'admin123!',
  'admin@1234',
  'admin#123',
  'aa123456!',
  'aa@123456',
  'abc@1234',
  'abc123!!',
  'abcd@1234',
  'a1b2c3d4!',
  '1qaz@wsx',
  '1qaz!qaz',
  '1qaz2wsx!',
  '!qaz2wsx',
  '!qaz1qaz',
  'zaq1@wsx',
  'zaq!2wsx',
  'q1w2e3r4!',
  'q1w2e3r4t5!',
  'qwe123!@#',
  'qwer1234!',
  'asdf1234!',
  'india@123',
  'p@ssw0rd',
]);
