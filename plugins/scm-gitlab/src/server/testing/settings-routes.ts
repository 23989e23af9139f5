import type { Json } from '@breakwater/sdk';
import type { TestAnswer } from '@breakwater/sdk/testing';
import { type Call, DATE, notFound, paged, text, WEB } from './state.ts';

function hookJson({ project, body }: Call, id: number): Readonly<Record<string, Json>> {
  return {
    id,
    project_id: project.id,
    url: text(body, 'url'),
    created_at: DATE,
    push_events: body.get('push_events') === true,
    tag_push_events: false,
    merge_requests_events: body.get('merge_requests_events') === true,
    enable_ssl_verification: body.get('enable_ssl_verification') === true,
  };
}

export function listHooks(call: Call): TestAnswer {
  return paged(call.request, [...call.project.hooks.values()]);
}

export function createHook(call: Call): TestAnswer {
  const id = call.gitlab.nextId();
  const hook = hookJson(call, id);
  call.project.hooks.set(id, hook);
  return { status: 201, json: hook };
}

export function updateHook(call: Call): TestAnswer {
  const id = Number(call.parts[0]);
  if (!call.project.hooks.has(id)) return notFound();
  const hook = hookJson(call, id);
  call.project.hooks.set(id, hook);
  return { json: hook };
}

export function deleteHook(call: Call): TestAnswer {
  return call.project.hooks.delete(Number(call.parts[0])) ? { status: 204 } : notFound();
}

export const listProtectedBranches = (call: Call): TestAnswer => paged(call.request, call.project.protectedBranches);
export const listDeployKeys = (call: Call): TestAnswer => paged(call.request, call.project.deployKeys);

export function listApprovalRules(call: Call): TestAnswer {
  return call.project.approvalRules === null ? notFound() : paged(call.request, call.project.approvalRules);
}

export function getPushRule({ project }: Call): TestAnswer {
  return project.pushRule === undefined ? notFound() : { json: project.pushRule };
}

export function getJobTokenScope({ project }: Call): TestAnswer {
  return { json: { inbound_enabled: project.jobTokensLimited, outbound_enabled: false } };
}

/** Of a group, which stands where the project stands in other calls. */
export function groupAnswer(groups: ReadonlyMap<string, boolean>, path: string): TestAnswer {
  const isRequired = groups.get(path);
  if (isRequired === undefined) return notFound('Group');
  return {
    json: {
      id: 7,
      name: path,
      path,
      full_path: path,
      web_url: `${WEB}/groups/${path}`,
      visibility: 'private',
      require_two_factor_authentication: isRequired,
    },
  };
}
