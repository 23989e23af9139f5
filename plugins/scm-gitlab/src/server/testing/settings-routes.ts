import { type Json, readAnswer, Type } from '@breakwater/sdk';
import type { TestAnswer } from '@breakwater/sdk/testing';
import { type Call, DATE, notFound, paged, refuse, text, WEB } from './state.ts';

function hookJson({ project, body }: Call, id: number): Readonly<Record<string, Json>> {
  return {
    id,
    project_id: project.id,
    url: text(body, 'url'),
    created_at: DATE,
    push_events: body.get('push_events') === true,
    tag_push_events: false,
    issues_events: body.get('issues_events') === true,
    merge_requests_events: body.get('merge_requests_events') === true,
    enable_ssl_verification: body.get('enable_ssl_verification') === true,
  };
}

export function listHooks(call: Call): TestAnswer {
  return paged(call.request, [...call.project.hooks.values()]);
}

function keepHook(call: Call, id: number): Json {
  const hook = hookJson(call, id);
  call.project.hooks.set(id, hook);
  call.project.hookSecrets.set(id, text(call.body, 'token'));
  return hook;
}

export const createHook = (call: Call): TestAnswer => ({ status: 201, json: keepHook(call, call.gitlab.nextId()) });

export function updateHook(call: Call): TestAnswer {
  const id = Number(call.parts[0]);
  if (!call.project.hooks.has(id)) return notFound();
  return { json: keepHook(call, id) };
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

const NewBranchRule = Type.Object({
  name: Type.String({ minLength: 1 }),
  push_access_level: Type.Integer(),
  merge_access_level: Type.Integer(),
  allow_force_push: Type.Boolean(),
});
const BranchRuleChange = Type.Object({
  allow_force_push: Type.Optional(Type.Boolean()),
  allowed_to_push: Type.Optional(
    Type.Array(Type.Object({ id: Type.Integer(), access_level: Type.Integer() }), { minItems: 1 }),
  ),
});
const BranchRule = Type.Object({
  name: Type.String(),
  push_access_levels: Type.Optional(Type.Array(Type.Object({ id: Type.Optional(Type.Integer()) }))),
});

const fieldsOf = ({ body }: Call): Json => Object.fromEntries(body);

export function protectBranch(call: Call): TestAnswer {
  const { name, allow_force_push, ...levels } = readAnswer(NewBranchRule, fieldsOf(call));
  const { protectedBranches } = call.project;
  if (protectedBranches.some((row) => readAnswer(BranchRule, row).name === name))
    return refuse(409, `Protected branch '${name}' already exists`);
  const level = (access_level: number): Json => ({ id: call.gitlab.nextId(), access_level });
  const rule: Json = {
    ...{ id: call.gitlab.nextId(), name, allow_force_push, code_owner_approval_required: false },
    push_access_levels: [level(levels.push_access_level)],
    merge_access_levels: [level(levels.merge_access_level)],
  };
  protectedBranches.push(rule);
  return { status: 201, json: rule };
}

export function changeBranchRule(call: Call): TestAnswer {
  const { protectedBranches } = call.project;
  const at = protectedBranches.findIndex((row) => readAnswer(BranchRule, row).name === call.parts[0]);
  const rule = protectedBranches[at];
  if (rule === undefined) return notFound();
  const { allowed_to_push: levels = [], ...rest } = readAnswer(BranchRuleChange, fieldsOf(call));
  const known = readAnswer(BranchRule, rule).push_access_levels ?? [];
  // free editions pass over the levels
  const push: Json = known.map((one) => {
    const changed = call.project.approvalRules === null ? undefined : levels.find(({ id }) => id === one.id);
    return { ...Object(one), ...changed };
  });
  const now: Json = { ...Object(rule), ...rest, push_access_levels: push };
  protectedBranches[at] = now;
  return { json: now };
}

const NewApprovalRule = Type.Object({
  name: Type.String({ minLength: 1 }),
  approvals_required: Type.Integer({ minimum: 0 }),
});
const approvalRule = (call: Call, id: number): Json => ({
  ...{ id, rule_type: 'any_approver', contains_hidden_groups: false, overridden: false },
  ...readAnswer(NewApprovalRule, fieldsOf(call)),
});

export function createApprovalRule(call: Call): TestAnswer {
  const { approvalRules } = call.project;
  if (approvalRules === null) return notFound();
  if (call.body.get('rule_type') !== 'any_approver') return refuse(400, 'a rule without approvers approves itself');
  const rule = approvalRule(call, call.gitlab.nextId());
  approvalRules.push(rule);
  return { status: 201, json: rule };
}

const Identified = Type.Object({ id: Type.Integer() });

export function changeApprovalRule(call: Call): TestAnswer {
  const { approvalRules } = call.project;
  const id = Number(call.parts[0]);
  const at = (approvalRules ?? []).findIndex((row) => readAnswer(Identified, row).id === id);
  if (approvalRules === null || at === -1) return notFound();
  const rule = approvalRule(call, id);
  approvalRules[at] = rule;
  return { json: rule };
}

const NewPushRule = Type.Object({ reject_unsigned_commits: Type.Boolean() });

/** By POST where there is none, by PUT where there is one. */
export const keepPushRule =
  (isNew: boolean) =>
  (call: Call): TestAnswer => {
    const { project } = call;
    if (project.pushRule === undefined || (project.pushRule === null) !== isNew) return notFound();
    project.pushRule = { id: 1, ...readAnswer(NewPushRule, fieldsOf(call)) };
    return { status: isNew ? 201 : 200, json: project.pushRule };
  };

export function changeJobTokenScope(call: Call): TestAnswer {
  call.project.jobTokensLimited = readAnswer(Type.Object({ enabled: Type.Boolean() }), fieldsOf(call)).enabled;
  return { status: 204 };
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
