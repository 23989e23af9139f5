import type { FieldIssue } from './app-error.ts';
import { msg } from './message.ts';

/**
 * Line breaks, control characters, halves of characters, and format characters, by which a name looks like another one or like none.
 * The two joiners are letters' own: words of Persian and Hindi need them.
 */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}/u;
const SEEN = /[^\s\u200C\u200D]/u;

export type NameFault = 'missing' | 'hidden';

/** What is wrong with the name of a person or an organisation: nobody could see it, or not all of it. */
export const nameFault = (name: string): NameFault | undefined => {
  if (HIDDEN.test(name.trim())) return 'hidden';
  return SEEN.test(name) ? undefined : 'missing';
};

/** The same as errors of a request body. `missing`: what is said where nothing can be seen. */
export const nameIssues = (field: string, name: string, missing: string): FieldIssue[] => {
  const fault = nameFault(name);
  if (fault === undefined) return [];
  const text = fault === 'missing' ? missing : msg('A name holds no line breaks and no invisible characters.');
  return [{ loc: ['body', field], msg: text, type: fault === 'missing' ? 'missing' : 'name' }];
};

/** Of an organisation. */
export const organizationNameIssues = (name: string): FieldIssue[] =>
  nameIssues('organization_name', name, msg('Name your organisation.'));
