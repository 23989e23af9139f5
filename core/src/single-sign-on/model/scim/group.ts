import { equalities, type PatchOperation } from './patch.ts';
import { scimRefusal } from './refusals.ts';
import { fieldOf, isRecord, listOf, textOf } from './values.ts';

export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
/** Members of one group. */
const MAX_MEMBERS = 10_000;

/** A group of an identity provider; its name is what the rules of roles compare. */
export interface ScimGroup {
  displayName: string;
  externalId: string | null;
  /** Ids of users, each once. */
  members: string[];
}

/** @throws bad_request */
const readDisplayName = (value: unknown): string => {
  const name = textOf(value, 'displayName');
  if (name === null) throw scimRefusal('invalidValue', '"displayName" is required.');
  return name;
};

/** @throws bad_request */
const readMembers = (value: unknown): string[] => {
  const ids = listOf(value).map((one) => textOf(isRecord(one) ? fieldOf(one, 'value') : one, 'members.value'));
  if (ids.length > MAX_MEMBERS) throw scimRefusal('tooMany', `A group has ${MAX_MEMBERS} members at most.`);
  return [...new Set(ids.flatMap((id) => (id === null ? [] : [id.toLowerCase()])))];
};

/** Reads a whole group: the body of POST and PUT. @throws bad_request */
export const readGroup = (body: unknown): ScimGroup => {
  if (!isRecord(body)) throw scimRefusal('invalidSyntax', 'The body must be a group.');
  return {
    displayName: readDisplayName(fieldOf(body, 'displayName')),
    externalId: textOf(fieldOf(body, 'externalId'), 'externalId'),
    members: readMembers(fieldOf(body, 'members')),
  };
};

const patchMembers = (members: readonly string[], { op, path, value }: PatchOperation): string[] => {
  if (path.filter !== undefined) {
    if (op !== 'remove') throw scimRefusal('invalidPath', 'Members are added and replaced without a filter.');
    const gone = equalities(path.filter, 'or').map((one) => one.value.toLowerCase());
    return members.filter((id) => !gone.includes(id));
  }
  const given = readMembers(value);
  if (op === 'replace') return given;
  if (op === 'add') return [...new Set([...members, ...given])];
  return value === undefined || value === null ? [] : members.filter((id) => !given.includes(id));
};

const patchOnce = (group: ScimGroup, operation: PatchOperation): ScimGroup => {
  const { op, path, value } = operation;
  if (path.attribute === 'members') return { ...group, members: patchMembers(group.members, operation) };
  if (path.attribute === 'externalid')
    return { ...group, externalId: op === 'remove' ? null : textOf(value, 'externalId') };
  if (path.attribute !== 'displayname') return group;
  if (op === 'remove') throw scimRefusal('mutability', '"displayName" cannot be removed.');
  return { ...group, displayName: readDisplayName(value) };
};

/** A group after the operations of a PATCH: all of them or none. @throws bad_request */
export const patchGroup = (group: ScimGroup, operations: readonly PatchOperation[]): ScimGroup =>
  operations.reduce(patchOnce, group);
