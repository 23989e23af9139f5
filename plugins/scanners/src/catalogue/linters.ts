import { reportEntry } from './report-entry.ts';

/** Linters and scanners of one language. */
export const linterEntries = [
  reportEntry({
    id: 'eslint',
    title: 'ESLint',
    category: 'sast',
    letters: 'ES',
    description: 'Finds mistakes and insecure patterns in JavaScript and TypeScript by rules and plugins.',
    documentation: 'https://eslint.org/docs/latest/',
    tool: 'eslint',
    family: 'SAST',
  }),
  reportEntry({
    id: 'shellcheck',
    title: 'ShellCheck',
    category: 'sast',
    letters: 'Sh',
    description: 'Finds mistakes and unsafe expansions in shell scripts.',
    documentation: 'https://www.shellcheck.net/wiki/',
    tool: 'shellcheck',
    family: 'SAST',
  }),
] as const;
