import { type Json, readAnswer, Type } from '@breakwater/sdk';
import type { TestAnswer } from '@breakwater/sdk/testing';
import {
  addressOf,
  type FakeRepository,
  type FakeRuleset,
  page,
  type RepositoryCall,
  type Route,
  refusal,
} from './state.ts';

const of = (path: string): RegExp => new RegExp(`^/repositories/(\\d+)${path}$`);
const ADMIN = ['administration', 'write'] as const;

const NewRule = Type.Union([
  Type.Object(
    {
      type: Type.Union([
        Type.Literal('deletion'),
        Type.Literal('non_fast_forward'),
        Type.Literal('required_signatures'),
      ]),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      type: Type.Literal('pull_request'),
      parameters: Type.Object(
        {
          required_approving_review_count: Type.Integer({ minimum: 0, maximum: 10 }),
          dismiss_stale_reviews_on_push: Type.Boolean(),
          require_code_owner_review: Type.Boolean(),
          require_last_push_approval: Type.Boolean(),
          required_review_thread_resolution: Type.Boolean(),
        },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false },
  ),
]);
const NewRuleset = Type.Object({
  name: Type.String({ minLength: 1 }),
  target: Type.Literal('branch'),
  enforcement: Type.Literal('active'),
  bypass_actors: Type.Array(Type.Unsafe<Json>({})),
  conditions: Type.Object({
    ref_name: Type.Object({ include: Type.Array(Type.String()), exclude: Type.Array(Type.String()) }),
  }),
  rules: Type.Array(NewRule),
});
const NewWorkflowPermissions = Type.Object(
  {
    default_workflow_permissions: Type.Union([Type.Literal('read'), Type.Literal('write')]),
    can_approve_pull_request_reviews: Type.Boolean(),
  },
  { additionalProperties: false },
);

/** What changes settings. Source: GitHub REST API, version 2022-11-28. */
export const SETTING_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: of('/rulesets'),
    of: 'repository',
    shape: 'repository-ruleset',
    isList: '',
    answer: ({ request, repository }) =>
      page(
        request,
        repository.settings.rulesets.map((one) => row(repository, one)),
      ),
  },
  {
    method: 'GET',
    path: of('/rulesets/(\\d+)'),
    of: 'repository',
    shape: 'repository-ruleset',
    answer: ({ repository, parts: [id] }) => {
      const found = repository.settings.rulesets.find((one) => String(one.id) === id);
      return found === undefined ? refusal(404, 'Not Found') : { json: whole(repository, found) };
    },
  },
  {
    method: 'POST',
    path: of('/rulesets'),
    of: 'repository',
    shape: 'repository-ruleset',
    needs: ADMIN,
    answer: create,
  },
  {
    method: 'PUT',
    path: of('/rulesets/(\\d+)'),
    of: 'repository',
    shape: 'repository-ruleset',
    needs: ADMIN,
    answer: change,
  },
  {
    method: 'PUT',
    path: of('/actions/permissions/workflow'),
    of: 'repository',
    needs: ADMIN,
    answer: ({ repository, body }) => {
      repository.settings.workflow = { ...readAnswer(NewWorkflowPermissions, body) };
      return { status: 204 };
    },
  },
];

/** Lists leave rules and conditions out. */
function row(repository: FakeRepository, { id, name, enforcement }: FakeRuleset): Json {
  const source = addressOf(repository).split('/').slice(-2).join('/');
  return { id, name, target: 'branch', source_type: 'Repository', source, enforcement };
}

function whole(repository: FakeRepository, ruleset: FakeRuleset): Json {
  const { conditions, bypass_actors, rules } = ruleset;
  return { ...Object(row(repository, ruleset)), conditions, bypass_actors: [...bypass_actors], rules: [...rules] };
}

function create({ repository, body }: RepositoryCall): TestAnswer {
  const { rulesets } = repository.settings;
  const { target: _, ...given } = readAnswer(NewRuleset, body);
  if (rulesets.some(({ name }) => name === given.name)) return refusal(422, 'Name must be unique');
  const ruleset = { id: rulesets.length + 1, ...given };
  rulesets.push(ruleset);
  return { status: 201, json: whole(repository, ruleset) };
}

function change({ repository, parts: [id], body }: RepositoryCall): TestAnswer {
  const ruleset = repository.settings.rulesets.find((one) => String(one.id) === id);
  if (ruleset === undefined) return refusal(404, 'Not Found');
  const { target: _, ...given } = readAnswer(NewRuleset, body);
  Object.assign(ruleset, given);
  return { json: whole(repository, ruleset) };
}
