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
  // Bitbucket never tells the secret.
  const { description, url, active, events } = readAnswer(NewHook, body);
  const hook = { type: 'webhook_subscription', uuid, description, url, active, events };
  repository.hooks.set(uuid, hook);
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
