import { describe, expect, test } from 'vitest';
import { patchGroup, type ScimGroup } from './group.ts';
import { readOperations } from './patch.ts';
import { patchUser } from './patch-user.ts';
import { readUser, type ScimUser } from './user.ts';

/**
 * What Microsoft Entra ID and its SCIM validator send. Source: Microsoft, "Tutorial: Develop and plan provisioning for a SCIM endpoint in
 * Microsoft Entra ID", sections on PATCH, with and without `aadOptscim062020`.
 */

const USER: ScimUser = {
  userName: 'ada@harbour.example',
  externalId: 'e-1',
  active: true,
  displayName: 'Ada',
  title: 'Engineer',
  name: { givenName: 'Ada', familyName: 'King' },
  emails: [
    { value: 'ada@harbour.example', type: 'work', primary: true },
    { value: 'ada@home.example', type: 'home', primary: false },
  ],
};
const WORK = USER.emails[0];
const HOME = USER.emails[1];

describe('a PATCH of a user', () => {
  test.each<[string, object[], Partial<ScimUser>]>([
    ['an operation with a capital', [{ op: 'Replace', path: 'displayName', value: 'Ada K' }], { displayName: 'Ada K' }],
    ['an operation in capitals', [{ op: 'REPLACE', path: 'displayName', value: 'Ada K' }], { displayName: 'Ada K' }],
    ['false as a text', [{ op: 'Replace', path: 'active', value: 'False' }], { active: false }],
    ['true as a text', [{ op: 'Add', path: 'active', value: 'True' }], { active: true }],
    ['false without a path', [{ op: 'replace', value: { active: false } }], { active: false }],
    ['a name of other case', [{ op: 'Replace', path: 'USERNAME', value: 'b@x.example' }], { userName: 'b@x.example' }],
    [
      'a name with its schema',
      [{ op: 'Add', path: 'urn:ietf:params:scim:schemas:core:2.0:User:title', value: 'CTO' }],
      { title: 'CTO' },
    ],
    [
      'a part of the name',
      [{ op: 'Replace', path: 'name.familyName', value: 'Lovelace' }],
      { name: { givenName: 'Ada', familyName: 'Lovelace' } },
    ],
    [
      'paths as keys of the value',
      [
        {
          op: 'Replace',
          value: { 'name.familyName': 'Lovelace', 'emails[type eq "work"].value': 'al@harbour.example' },
        },
      ],
      {
        name: { givenName: 'Ada', familyName: 'Lovelace' },
        emails: [{ value: 'al@harbour.example', type: 'work', primary: true }, ...(HOME === undefined ? [] : [HOME])],
      },
    ],
    [
      'an e-mail that a filter means',
      [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'al@harbour.example' }],
      { emails: [{ value: 'al@harbour.example', type: 'work', primary: true }, ...(HOME === undefined ? [] : [HOME])] },
    ],
    [
      'an e-mail of a type that was not there',
      [{ op: 'Add', path: 'emails[type eq "other"].value', value: 'al@other.example' }],
      { emails: [...USER.emails, { value: 'al@other.example', type: 'other', primary: false }] },
    ],
    [
      'an e-mail that goes',
      [{ op: 'Remove', path: 'emails[type eq "home"]' }],
      { emails: WORK === undefined ? [] : [WORK] },
    ],
    ['an attribute that goes', [{ op: 'Remove', path: 'title' }], { title: null }],
    ['the same one that goes without having been there', [{ op: 'Remove', path: 'nickName' }], {}],
    [
      'attributes that are not kept',
      [
        { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '1' },
        { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'Bremen' },
        { op: 'Add', path: 'roles[primary eq "True"].value', value: 'x' },
        { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'x' },
        { op: 'Replace', value: { 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { manager: 'x' } } },
      ],
      {},
    ],
  ])('%s', (_name, operations, change) => {
    const before = structuredClone(USER);
    expect(patchUser(USER, readOperations({ Operations: operations }))).toEqual({ ...USER, ...change });
    expect(USER).toEqual(before);
  });

  test.each<[string, object]>([
    ['an unknown operation', { op: 'move', path: 'title', value: 'x' }],
    ['a removal of nothing', { op: 'Remove' }],
    ['a removal of what is required', { op: 'Remove', path: 'userName' }],
    ['a flag that is none', { op: 'Replace', path: 'active', value: 'maybe' }],
    ['a path that is none', { op: 'Replace', path: 'emails[type eq', value: 'x' }],
    ['an empty user name', { op: 'Replace', path: 'userName', value: ' ' }],
  ])('%s is refused', (_name, operation) => {
    expect(() => patchUser(USER, readOperations({ Operations: [operation] }))).toThrow();
  });
});

describe('a PATCH of a group', () => {
  const GROUP: ScimGroup = { displayName: 'Developers', externalId: null, members: ['a', 'b', 'c'] };
  test.each<[string, object, Partial<ScimGroup>]>([
    [
      'one more member',
      { op: 'Add', path: 'members', value: [{ $ref: null, value: 'd' }] },
      { members: ['a', 'b', 'c', 'd'] },
    ],
    ['a member that is there', { op: 'Add', path: 'members', value: [{ value: 'A' }] }, {}],
    [
      'a member without a list',
      { op: 'Add', path: 'members', value: { value: 'd' } },
      { members: ['a', 'b', 'c', 'd'] },
    ],
    [
      'a member that goes, by value',
      { op: 'Remove', path: 'members', value: [{ value: 'b' }] },
      { members: ['a', 'c'] },
    ],
    ['a member that goes, by filter', { op: 'Remove', path: 'members[value eq "B"]' }, { members: ['a', 'c'] }],
    ['several that go, by filter', { op: 'Remove', path: 'members[value eq "a" or value eq "b"]' }, { members: ['c'] }],
    ['nobody of that name', { op: 'Remove', path: 'members[value eq "z"]' }, {}],
    ['all members go', { op: 'Remove', path: 'members' }, { members: [] }],
    ['other members', { op: 'Replace', path: 'members', value: [{ value: 'x' }] }, { members: ['x'] }],
    ['another name', { op: 'Replace', value: { displayName: 'Owners' } }, { displayName: 'Owners' }],
    [
      'its id and name as Entra sends them',
      { op: 'Replace', value: { id: 'g', displayName: 'O' } },
      { displayName: 'O' },
    ],
  ])('%s', (_name, operation, change) => {
    expect(patchGroup(GROUP, readOperations({ Operations: [operation] }))).toEqual({ ...GROUP, ...change });
  });
});

test('a new user is read with attributes of any case, flags as text, and without what is not kept', () => {
  const read = readUser({
    schemas: [
      'urn:ietf:params:scim:schemas:core:2.0:User',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
    ],
    externalId: 'e-1',
    UserName: 'ada@harbour.example',
    Active: 'True',
    displayName: 'Ada',
    title: 'Engineer',
    name: { givenName: 'Ada', familyName: 'King', honorificPrefix: 'Lady' },
    emails: [
      { primary: 'True', type: 'work', value: 'ada@harbour.example' },
      { primary: false, type: 'home', value: 'ada@home.example' },
    ],
    addresses: [{ type: 'work', locality: 'Bremen' }],
    meta: { resourceType: 'User' },
    roles: [],
  });
  expect(read).toEqual(USER);
});
