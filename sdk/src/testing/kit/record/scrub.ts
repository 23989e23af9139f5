import type { Json } from '../../../context.ts';
import { writtenKey } from '../../../declarative/actions/action-texts.ts';
import { createSecretMask } from '../../../host/auth/secret-mask.ts';
import { hideElements, hidePairs, hideShapes, MASK, secrecyOf } from '../../../secret-values.ts';
import { KEY } from '../service/operations.ts';

/** What was replaced, by kind: `api_key (a secret of the form)`, `e-mail address`, `field "token"`. */
export type Scrubbed = ReadonlyMap<string, number>;

/** Replaces secrets and personal data, each value by the same stand-in wherever it comes. */
export interface Scrubber {
  text(text: string): string;
  json(value: Json): Json;
  header(name: string, value: string): string;
}

/** Linear: every part has a bounded length. */
const MAIL = /(?<![\w.+-])([\w.+-]{1,64})(@|%40)((?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24})(?![\w-])/g;
/** Not a person: the user of every SSH address. */
const SSH_USER = 'git';
/** Names that speak of a secret and do not hold one: `token_type`, `secret_count`. */
const ABOUT_SECRETS =
  /(^|[_-]|[a-z](?=[A-Z]))(type|kind|count|length|size|at|in|expiry|scopes?|status|state|name|ur[il]|endpoint)$/i;
const STANDS_FOR = /^scrubbed-[a-z0-9-]+$/;
/** What a connector without code sends to be known again, under a name such as `nonce`. */
const KIT_KEY = await writtenKey(KEY);
const PERSON_HOST = 'scrubbed.example';
/** A shorter value, or one that could be a word, is replaced where it stands and nowhere else. */
const SHORTEST_TOKEN = 8;
const LONG_VAGUE = 20;

/**
 * Does the work twice: what it learns late (a token that stands in an earlier answer, too) is known the second time.
 * @param secrets values of the form by field
 */
export function scrubbing<T>(
  secrets: Readonly<Record<string, string>>,
  work: (scrubber: Scrubber) => T,
): { result: T; scrubbed: Scrubbed } {
  const scrubber = createScrubber(secrets);
  work(scrubber);
  scrubber.scrubbed.clear();
  return { result: work(scrubber), scrubbed: scrubber.scrubbed };
}

function createScrubber(secrets: Readonly<Record<string, string>>): Scrubber & { scrubbed: Map<string, number> } {
  const standIns = createStandIns();
  const { standIn, person } = standIns;
  const ownSecrets = createOwnSecrets(secrets, standIns.count);
  const people = (text: string): string =>
    text.replace(MAIL, (whole, user: string, at: string, host: string) =>
      user === SSH_USER || host === PERSON_HOST ? whole : person(`${user}@${host}`.toLowerCase()).replace('@', at),
    );
  const tokens = (text: string): string =>
    hidePairs(
      hideShapes(text, (value) => standIn('token by its look', 'token', value)),
      (value) => standIn('value of a name that tells of a secret', 'value', value),
    );
  const text = (value: string): string => people(tokens(standIns.everywhere(ownSecrets(value))));
  const secretIn = (name: string, value: string): string | null => {
    if (value === '' || !(isSecretName(name) || (secrecyOf(name) === 'vague' && isLongToken(value)))) return null;
    const masked = ownSecrets(value);
    return masked === value ? standIn(`field "${name}"`, slug(name), value) : masked;
  };
  const json = (value: Json, name = ''): Json => {
    if (typeof value === 'string') return secretIn(name, value) ?? text(value);
    if (typeof value === 'number') return isSecretName(name) ? 0 : value;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => json(item, name));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), json(item, key)]));
  };
  return {
    text: (value) => text(hideElements(value, (hidden) => standIn('value of an element', 'value', hidden))),
    json: (value) => json(value),
    header: (name, value) => (isSecretName(name) ? standIn(`header ${name}`, slug(name), value) : text(value)),
    scrubbed: standIns.scrubbed,
  };
}

/** Stand-ins by value. Tokens are remembered, to be replaced wherever else they come: a cursor stands in an answer and in a link. */
function createStandIns() {
  const scrubbed = new Map<string, number>();
  const known = new Map<string, string>();
  const forms = new Map<string, string>();
  const count = (kind: string): void => void scrubbed.set(kind, (scrubbed.get(kind) ?? 0) + 1);
  const once = (value: string, make: (number: number) => string): string => {
    const made = known.get(value) ?? make(known.size + 1);
    known.set(value, made);
    return made;
  };
  return {
    scrubbed,
    count,
    standIn: (kind: string, label: string, value: string): string => {
      if (value === MASK || value === KIT_KEY || STANDS_FOR.test(value)) return value;
      count(kind);
      const made = once(value, (number) => `scrubbed-${label}-${number}`);
      if (isToken(value)) {
        for (const form of [value, encodeURIComponent(value.toWellFormed()), Buffer.from(value).toString('base64')])
          forms.set(form, made);
      }
      return made;
    },
    person: (address: string): string => {
      count('e-mail address');
      return once(address, (number) => `person-${number}@${PERSON_HOST}`);
    },
    everywhere: (text: string): string =>
      [...forms].reduce((before, [form, standIn]) => before.replaceAll(form, standIn), text),
  };
}

/** Puts the secrets of the form out of a text, in every encoding. */
function createOwnSecrets(secrets: Readonly<Record<string, string>>, count: (kind: string) => void) {
  const masks = Object.entries(secrets).map(([field, secret]) => {
    const mask = createSecretMask();
    for (const form of nestedForms(secret)) mask.add(form);
    return { field, mask };
  });
  return (text: string): string =>
    masks.reduce((before, { field, mask }) => {
      const parts = mask.text(before).split('[secret]');
      // what the service itself wrote as [secret] is none of ours
      if (parts.length === before.split('[secret]').length) return before;
      count(`${field} (a secret of the form)`);
      return parts.join(`scrubbed-${slug(field)}`);
    }, text);
}

function isSecretName(name: string): boolean {
  return name !== '' && secrecyOf(name) === 'secret' && !ABOUT_SECRETS.test(name);
}

function isToken(value: string): boolean {
  return value.length >= SHORTEST_TOKEN && /\d/.test(value) && /[A-Za-z]/.test(value) && !/\s/.test(value);
}

function isLongToken(value: string): boolean {
  return (
    value.length >= LONG_VAGUE &&
    /^[\w+/=-]+$/.test(value) &&
    /\d/.test(value) &&
    /[A-Z]/.test(value) &&
    /[a-z]/.test(value)
  );
}

/** How a text is written inside of another one: in JSON, with slashes escaped as PHP does, in addresses, in HTML and XML. */
const ENCODINGS: readonly ((text: string) => string)[] = [
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  (text) => encodeURIComponent(text.toWellFormed()),
  (text) => new URLSearchParams([['', text]]).toString().slice(1),
  (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
];

/** A secret as it is and encoded twice; the mask adds one more time, base64 and hex. */
function nestedForms(secret: string): Set<string> {
  const once = [secret, secret.trim()];
  const twice = once.flatMap((text) => [text, ...ENCODINGS.map((encode) => encode(text))]);
  return new Set(twice.flatMap((text) => [text, ...ENCODINGS.map((encode) => encode(text))]));
}

const slug = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
