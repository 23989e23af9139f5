import { type Json, readAnswer, Type } from '@breakwater/sdk';
import type { TestAnswer } from '@breakwater/sdk/testing';
import { type Call, paged, refuse } from './state.ts';

const NewHook = Type.Object({
  description: Type.String(),
  url: Type.String(),
  active: Type.Boolean(),
  events: Type.Array(Type.String(), { minItems: 1 }),
  secret: Type.String({ minLength: 1 }),
});

function keep({ repository, body }: Call, uuid: string): Json {
  const { description, url, active, events, secret } = readAnswer(NewHook, body);
  const hook = { type: 'webhook_subscription', uuid, description, url, active, events };
  repository.hooks.set(uuid, hook);
  repository.hookSecrets.set(uuid, secret);
  return hook;
}

export const listHooks = (call: Call): TestAnswer => paged(call.request, [...call.repository.hooks.values()]);

export function createHook(call: Call): TestAnswer {
  const uuid = `{0000000${call.repository.hooks.size}-aaaa-4aaa-8aaa-aaaaaaaaaaaa}`;
  return { status: 201, json: keep(call, uuid) };
}

export function updateHook(call: Call): TestAnswer {
  const [uuid = ''] = call.parts;
  return call.repository.hooks.has(uuid) ? { json: keep(call, uuid) } : refuse(404, 'Webhook not found');
}

export function deleteHook(call: Call): TestAnswer {
  return call.repository.hooks.delete(call.parts[0] ?? '') ? { status: 204 } : refuse(404, 'Webhook not found');
}

export const listRestrictions = (call: Call): TestAnswer => paged(call.request, call.repository.restrictions);
const NewRestriction = Type.Object({
  type: Type.Literal('branchrestriction'),
  kind: Type.String({ minLength: 1 }),
  branch_match_kind: Type.Optional(Type.Literal('glob')),
  pattern: Type.Optional(Type.String({ minLength: 1 })),
  value: Type.Optional(Type.Integer()),
  users: Type.Optional(Type.Array(Type.Unsafe<Json>({}))),
  groups: Type.Optional(Type.Array(Type.Unsafe<Json>({}))),
});
const KnownRestriction = Type.Object({
  id: Type.Optional(Type.Integer()),
  kind: Type.String(),
  pattern: Type.Optional(Type.String()),
});
/** Kinds that name who is excepted. */
const WITH_PEOPLE = ['push', 'restrict_merges'];

export function createRestriction({ repository, body }: Call): TestAnswer {
  const given = readAnswer(NewRestriction, body);
  const isWhole = given.branch_match_kind !== undefined && given.pattern !== undefined;
  const names = given.users !== undefined && given.groups !== undefined;
  if (!isWhole || WITH_PEOPLE.includes(given.kind) !== names) return refuse(400, 'Bad request');
  const known = repository.restrictions.map((row) => readAnswer(KnownRestriction, row));
  if (known.some(({ kind, pattern }) => kind === given.kind && pattern === given.pattern))
    return refuse(409, 'A restriction of this kind and pattern exists.');
  const restriction: Json = { id: known.length + 1, ...Object(body) };
  repository.restrictions.push(restriction);
  return { status: 201, json: restriction };
}

export function changeRestriction({ repository, body, parts: [id] }: Call): TestAnswer {
  const at = repository.restrictions.findIndex((row) => String(readAnswer(KnownRestriction, row).id) === id);
  const known = repository.restrictions[at];
  if (known === undefined) return refuse(404, 'Restriction not found');
  readAnswer(NewRestriction, body);
  const now: Json = { ...Object(known), ...Object(body) };
  repository.restrictions[at] = now;
  return { json: now };
}

export const listDeployKeys = (call: Call): TestAnswer => paged(call.request, call.repository.deployKeys);

/** Development is the main branch, production another one. */
export function getBranchingModel({ repository }: Call): TestAnswer {
  const name = repository.mainBranch ?? 'main';
  return {
    json: {
      type: 'branching_model',
      development: { name, use_mainbranch: true, branch: { type: 'branch', name } },
      production: { name: 'production', use_mainbranch: false, branch: { type: 'branch', name: 'production' } },
    },
  };
}
