import { equalities, type PatchOperation } from './patch.ts';
import { scimRefusal } from './refusals.ts';
import { NAME_PARTS, readEmails, readName, readUserName, type ScimEmail, type ScimUser } from './user.ts';
import { flagOf, textOf } from './values.ts';

const patchName = (name: ScimUser['name'], { op, path, value }: PatchOperation): ScimUser['name'] => {
  const { sub } = path;
  if (sub === undefined) return op === 'remove' ? {} : { ...name, ...readName(value) };
  const part = NAME_PARTS.find((one) => one.toLowerCase() === sub);
  if (part === undefined) return name;
  const { [part]: _, ...others } = name;
  const text = op === 'remove' ? null : textOf(value, `name.${part}`);
  return text === null ? others : { ...others, [part]: text };
};

const isMeant = (email: ScimEmail, wanted: ReturnType<typeof equalities>): boolean =>
  wanted.every(({ attribute, value }) => {
    if (attribute === 'primary') return String(email.primary) === value.toLowerCase();
    return (attribute === 'type' ? email.type : email.value)?.toLowerCase() === value.toLowerCase();
  });

/** Emails that a filter means; where there is none yet, one of the type that it names is made. */
const patchFiltered = (emails: readonly ScimEmail[], { op, path, value }: PatchOperation): ScimEmail[] => {
  const wanted = path.filter === undefined ? [] : equalities(path.filter, 'and');
  if (op === 'remove') return emails.filter((email) => !isMeant(email, wanted));
  const changed = (email: ScimEmail): ScimEmail[] => {
    if (path.sub === undefined)
      return readEmails(value).map((one) => ({ ...email, ...one, type: one.type ?? email.type }));
    if (path.sub === 'primary') return [{ ...email, primary: flagOf(value, 'primary') }];
    if (path.sub === 'type') return [{ ...email, type: textOf(value, 'emails.type') }];
    return path.sub === 'value' ? readEmails(value).map((one) => ({ ...email, value: one.value })) : [email];
  };
  if (emails.some((email) => isMeant(email, wanted))) {
    return emails.flatMap((email) => (isMeant(email, wanted) ? changed(email) : [email]));
  }
  const type = wanted.find(({ attribute }) => attribute === 'type')?.value ?? null;
  return [...emails, ...changed({ value: '', type, primary: emails.length === 0 }).filter((one) => one.value !== '')];
};

const patchEmails = (emails: readonly ScimEmail[], operation: PatchOperation): ScimEmail[] => {
  const { op, path, value } = operation;
  if (path.filter !== undefined || path.sub !== undefined) return patchFiltered(emails, operation);
  if (op === 'remove') return [];
  const given = readEmails(value);
  if (op === 'replace') return given;
  // a new primary one takes the place of the old
  const isNewPrimary = given.some(({ primary }) => primary);
  const kept = emails
    .filter((email) => !given.some((one) => one.value.toLowerCase() === email.value.toLowerCase()))
    .map((email) => (isNewPrimary ? { ...email, primary: false } : email));
  return [...kept, ...given];
};

// no text: names of attributes
const TEXTS = { externalid: 'externalId', displayname: 'displayName', title: 'title' } as const;
const isText = (attribute: string): attribute is keyof typeof TEXTS => Object.hasOwn(TEXTS, attribute);

/** @returns the user after one operation; attributes that are not kept are read over. @throws bad_request */
const patchOnce = (user: ScimUser, operation: PatchOperation): ScimUser => {
  const { op, path, value } = operation;
  const { attribute } = path;
  if (attribute === 'username' || attribute === 'active') {
    if (op === 'remove') throw scimRefusal('mutability', `"${attribute}" cannot be removed.`);
    return attribute === 'active'
      ? { ...user, active: flagOf(value, 'active') }
      : { ...user, userName: readUserName(value) };
  }
  if (attribute === 'name') return { ...user, name: patchName(user.name, operation) };
  if (attribute === 'emails') return { ...user, emails: patchEmails(user.emails, operation) };
  if (!isText(attribute)) return user;
  const name = TEXTS[attribute];
  return { ...user, [name]: op === 'remove' ? null : textOf(value, name) };
};

/** A user after the operations of a PATCH: all of them or none. @throws bad_request */
export const patchUser = (user: ScimUser, operations: readonly PatchOperation[]): ScimUser =>
  operations.reduce(patchOnce, user);
