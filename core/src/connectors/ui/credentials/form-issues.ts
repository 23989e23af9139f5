import type { CredentialField } from '@breakwater/sdk';
import { msg } from '../../../platform/model/message.ts';
import { t } from '../../../platform/ui/language/translate.ts';

/** What a field holds while it is edited: texts and numbers as typed, lists by line, maps as pairs. */
export type Draft = string | boolean | readonly string[] | readonly MapPair[];
export interface MapPair {
  readonly key: string;
  readonly value: string;
}

/** Longest value of one field, in bytes of UTF-8. The same as the server's. */
const MAX_VALUE_BYTES = 65_536;

const ADDRESS = /^[a-z][a-z0-9+.-]*:\S+$/i;
const HOST = /^[a-z0-9.-]{1,253}$/i;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Looser than the server's where the standards are long: what passes here may still be refused there, never the other way. */
const FORMATS: Readonly<Record<string, { isRight: (text: string) => boolean; message: string }>> = {
  uri: { isRight: (text) => ADDRESS.test(text), message: msg('Must be an address (URL).') },
  hostname: { isRight: (text) => HOST.test(text), message: msg('Must be in the form "hostname".') },
  email: { isRight: (text) => EMAIL.test(text), message: msg('Must be an e-mail address.') },
  date: {
    isRight: (text) => DAY.test(text) && !Number.isNaN(Date.parse(text)),
    message: msg('Must be a date such as 2026-11-21.'),
  },
};

const lengthOf = (text: string): number => [...text].length;

const minLength = (limit: number): string =>
  limit === 1 ? t('Must not be empty.') : t('Must have at least {limit} characters.', { limit: String(limit) });

type TextField = Extract<CredentialField, { type: 'string' }>;

const textIssues = (field: TextField, text: string): string[] => {
  const issues: string[] = [];
  const { maxLength, minLength: shortest, pattern, format } = field;
  if (maxLength !== undefined && lengthOf(text) > maxLength)
    issues.push(t('Must have at most {limit} characters.', { limit: String(maxLength) }));
  if (shortest !== undefined && lengthOf(text) < shortest) issues.push(minLength(shortest));
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) issues.push(t('Has the wrong form.'));
  const rule = format === undefined ? undefined : FORMATS[format];
  if (rule !== undefined && !rule.isRight(text)) issues.push(t(rule.message));
  if (field.enum !== undefined && !field.enum.includes(text)) {
    issues.push(t('Must be one of: {choices}.', { choices: field.enum.join(', ') }));
  }
  return issues;
};

type NumberField = Extract<CredentialField, { type: 'number' | 'integer' }>;

const numberIssues = (field: NumberField, value: unknown): string[] => {
  const isNumber = typeof value === 'number' && Number.isFinite(value);
  if (!isNumber || (field.type === 'integer' && !Number.isInteger(value))) {
    return [field.type === 'integer' ? t('Must be an integer.') : t('Must be a number.')];
  }
  const issues: string[] = [];
  if (field.maximum !== undefined && value > field.maximum)
    issues.push(t('Must be at most {limit}.', { limit: String(field.maximum) }));
  if (field.minimum !== undefined && value < field.minimum)
    issues.push(t('Must be at least {limit}.', { limit: String(field.minimum) }));
  return issues;
};

type ListField = Extract<CredentialField, { type: 'array' }>;

const listIssues = (field: ListField, value: unknown): string[] => {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [];
  const issues: string[] = [];
  if (field.maxItems !== undefined && texts.length > field.maxItems) {
    issues.push(t('Must have at most {limit} entries.', { limit: String(field.maxItems) }));
  }
  const choices = field.items.enum;
  if (choices !== undefined && texts.some((text) => !choices.some((choice) => choice === text))) {
    issues.push(t('Must be one of: {choices}.', { choices: choices.join(', ') }));
  }
  return issues;
};

const rulesOf = (field: CredentialField, value: unknown): string[] => {
  if (field.type === 'string') return textIssues(field, String(value));
  if (field.type === 'number' || field.type === 'integer') return numberIssues(field, value);
  return field.type === 'array' ? listIssues(field, value) : [];
};

/** Nothing is there: spaces alone, an empty list, an empty map. */
export const isEmptyValue = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

/** A draft as it is sent: texts without the spaces around them, an empty one as null. What is no number stays text. */
export const valueFrom = (field: CredentialField, draft: Draft): unknown => {
  if (typeof draft === 'boolean') return draft;
  if (typeof draft === 'string') {
    const text = draft.trim();
    if (text === '') return null;
    const isNumeric = field.type === 'number' || field.type === 'integer';
    return isNumeric && Number.isFinite(Number(text)) ? Number(text) : text;
  }
  if (field.type === 'object') {
    const pairs = draft.flatMap((pair) => (typeof pair === 'string' ? [] : [[pair.key.trim(), pair.value.trim()]]));
    return Object.fromEntries(pairs.filter(([key]) => key !== ''));
  }
  return draft.flatMap((text) => (typeof text === 'string' && text.trim() !== '' ? [text.trim()] : []));
};

/**
 * What the server would say of one value, in the same words; nothing where it is right. The schemas of forms are flat and
 * of five kinds, so they are walked; see docs/decisions/2026-11-21-forms-without-eval.md.
 */
export const issueOf = (field: CredentialField, value: unknown): string | undefined => {
  if (isEmptyValue(value)) return undefined;
  const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
  const tooLong =
    bytes > MAX_VALUE_BYTES + 2 ? [t('Must have at most {limit} bytes.', { limit: String(MAX_VALUE_BYTES) })] : [];
  const issues = [...tooLong, ...rulesOf(field, value)];
  return issues.length === 0 ? undefined : issues.join(' ');
};
