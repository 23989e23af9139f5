import { type RawBuilder, sql } from 'kysely';
import { FORMER_MEMBER } from '../model/former-member.ts';
import type { Db } from './database.ts';

/** A member of an organisation, by what others refer to them. */
export interface PersonKey {
  clientId: string;
  userId: string;
  email: string;
}

/** Whoever deleted their account. */
export interface ErasedPerson extends PersonKey {
  /** Everything that they were called, in lower case: names, earlier names and addresses. */
  names: readonly string[];
}

type Records = readonly object[];

/** One part of what the product keeps about a person, as they download it. */
export interface PersonalRecords {
  /** Key of the document, such as `sessions`. */
  name: string;
  /** A page of it, in a transaction of the person's organisation. `next` is given back to read the following page. */
  read: (
    db: Db,
    person: PersonKey,
    after: string | undefined,
  ) => Promise<{ records: Records; next?: string | undefined }>;
}

/** What a slice keeps about people: how it is read, and what happens to it when somebody deletes their account. */
export interface PersonalData {
  records: readonly PersonalRecords[];
  /** Deletes what is theirs alone, and puts "Former member" in place of their name in what others need. In the transaction of the deletion. */
  erase?: (db: Db, person: ErasedPerson) => Promise<void>;
}

/** Records that are few enough for one page. */
export const onePage = (name: string, read: (db: Db, person: PersonKey) => Promise<Records>): PersonalRecords => ({
  name,
  read: async (db, person) => ({ records: await read(db, person) }),
});

/** Of a page of at most `size` rows, where the next one begins. */
export const nextOf = <R>(rows: readonly R[], size: number, keyOf: (row: R) => string): string | undefined => {
  const last = rows.at(-1);
  return rows.length < size || last === undefined ? undefined : keyOf(last);
};

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|-]/g, '\\$&');

/** A pattern of PostgreSQL that finds any of the person's names as whole words, the longest first. */
const mentionOf = ({ names }: Pick<ErasedPerson, 'names'>): string => {
  const longestFirst = [...names].sort((one, other) => other.length - one.length);
  return `(?<![[:alnum:]_@.-])(${longestFirst.map(escaped).join('|')})(?![[:alnum:]_@-])`;
};

/** Whether a text names the person. */
export const mentions = (column: RawBuilder<unknown>, person: ErasedPerson): RawBuilder<boolean> =>
  sql<boolean>`${column}::text ~* ${mentionOf(person)}`;

/** The text with "Former member" in place of the person's names. */
export const withoutMentions = (column: RawBuilder<unknown>, person: ErasedPerson): RawBuilder<string> =>
  sql<string>`regexp_replace(${column}, ${mentionOf(person)}, ${FORMER_MEMBER}, 'gi')`;

/** Lower-case text is one of the person's names. */
export const isNamed = (column: RawBuilder<unknown>, { names }: ErasedPerson): RawBuilder<boolean> =>
  sql<boolean>`lower(${column}) = any(${[...names]}::text[])`;
