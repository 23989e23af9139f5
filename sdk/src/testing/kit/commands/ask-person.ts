import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Ask } from '../record/form-values.ts';

/** Asks in a terminal; what is typed as a secret is not shown. */
export const askPerson: Ask = async ({ title, isSecret }) => {
  const quiet = new Writable({ write: (_chunk, _encoding, done) => done() });
  process.stderr.write(`${title}: `);
  const output = isSecret ? quiet : process.stderr;
  const reader = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return await reader.question('');
  } finally {
    reader.close();
    if (isSecret) process.stderr.write('\n');
  }
};
