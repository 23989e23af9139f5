import { isPlainEmail } from '../identity.ts';
import { scimRefusal } from './refusals.ts';
import { fieldOf, flagOf, isRecord, listOf, textOf } from './values.ts';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
/** E-mails that are kept of one person. */
const MAX_EMAILS = 20;

export interface ScimEmail {
  value: string;
  type: string | null;
  primary: boolean;
}

export const NAME_PARTS = ['formatted', 'familyName', 'givenName'] as const;
type NamePart = (typeof NAME_PARTS)[number];

/** What is kept of a person that an identity provider describes. Other attributes of the schema are read over. */
export interface ScimUser {
  userName: string;
  externalId: string | null;
  active: boolean;
  displayName: string | null;
  title: string | null;
  name: Partial<Record<NamePart, string>>;
  emails: ScimEmail[];
}

/** @throws bad_request */
export const readUserName = (value: unknown): string => {
  const userName = textOf(value, 'userName');
  if (userName === null) throw scimRefusal('invalidValue', '"userName" is required.');
  return userName;
};

/** @throws bad_request */
export const readName = (value: unknown): ScimUser['name'] => {
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) throw scimRefusal('invalidValue', '"name" must be an object.');
  return Object.fromEntries(
    NAME_PARTS.flatMap((part) => {
      const text = textOf(fieldOf(value, part), `name.${part}`);
      return text === null ? [] : [[part, text]];
    }),
  );
};

/** @throws bad_request */
export const readEmails = (value: unknown): ScimEmail[] => {
  const given = listOf(value);
  if (given.length > MAX_EMAILS) throw scimRefusal('invalidValue', `More than ${MAX_EMAILS} emails.`);
  return given.flatMap((one) => {
    const record = isRecord(one) ? one : { value: one };
    const email = textOf(fieldOf(record, 'value'), 'emails.value');
    if (email === null) return [];
    const primary = fieldOf(record, 'primary') ?? false;
    return [
      { value: email, type: textOf(fieldOf(record, 'type'), 'emails.type'), primary: flagOf(primary, 'primary') },
    ];
  });
};

/**
 * Reads a whole user: the body of POST and PUT.
 * @param isActive where the body does not say it: nobody comes back because a field was left out @throws bad_request
 */
export const readUser = (body: unknown, isActive = true): ScimUser => {
  if (!isRecord(body)) throw scimRefusal('invalidSyntax', 'The body must be a user.');
  return {
    userName: readUserName(fieldOf(body, 'userName')),
    externalId: textOf(fieldOf(body, 'externalId'), 'externalId'),
    active: flagOf(fieldOf(body, 'active') ?? isActive, 'active'),
    displayName: textOf(fieldOf(body, 'displayName'), 'displayName'),
    title: textOf(fieldOf(body, 'title'), 'title'),
    name: readName(fieldOf(body, 'name')),
    emails: readEmails(fieldOf(body, 'emails')),
  };
};

/** The address that the account has: the primary one, else the first, else the user name. @throws bad_request where there is none */
export const emailOf = ({ userName, emails }: Pick<ScimUser, 'userName' | 'emails'>): string => {
  const email = (emails.find(({ primary }) => primary) ?? emails[0])?.value ?? userName;
  if (isPlainEmail(email)) return email;
  throw scimRefusal('invalidValue', `"${email}" is no email address. Send one in "emails" or as "userName".`);
};

/** What a provider calls the person; null where it says nothing. */
export const calledBy = ({ displayName, name }: Pick<ScimUser, 'displayName' | 'name'>): string | null => {
  const parts = [name.givenName, name.familyName].filter((part) => part !== undefined);
  return displayName ?? name.formatted ?? (parts.length === 0 ? null : parts.join(' '));
};
