import { type Json, readAnswer, Type } from '@breakwater/sdk';
import type { TestAnswer } from '@breakwater/sdk/testing';
import { type FakeRepository, type RepositoryCall, type Route, refusal } from './state.ts';

const of = (path: string): RegExp => new RegExp(`^/repos/([^/]+)/([^/]+)/branch_protections${path}$`);
const rights = { of: 'repository', role: 'admin', shape: 'BranchProtection' } as const;

const NewProtection = Type.Object({ rule_name: Type.String({ minLength: 1 }) });
const Fields = Type.Object({
  enable_push: Type.Optional(Type.Boolean()),
  required_approvals: Type.Optional(Type.Integer({ minimum: 0 })),
  require_signed_commits: Type.Optional(Type.Boolean()),
});

/** Rules of the default branch. What Gitea 1.22 does not know it passes over. Source: Gitea API 1.22. */
export const PROTECTION_ROUTES: readonly Route[] = [
  {
    ...rights,
    method: 'GET',
    path: of('/([^/]+)'),
    answer: ({ repository, parts: [name] }) =>
      repository.protection === null || name !== 'main' ? notFound() : { json: row(repository) },
  },
  { ...rights, method: 'POST', path: of(''), answer: create },
  { ...rights, method: 'PATCH', path: of('/([^/]+)'), answer: change },
];

const notFound = (): TestAnswer => refusal(404, "The target couldn't be found.");

function row({ protection }: FakeRepository): Json {
  return { branch_name: 'main', rule_name: 'main', ...protection };
}

function fieldsIn(body: Json): Readonly<Record<string, Json>> {
  const { enable_push, required_approvals, require_signed_commits } = readAnswer(Fields, body);
  return {
    ...(enable_push === undefined ? {} : { enable_push }),
    ...(required_approvals === undefined ? {} : { required_approvals }),
    ...(require_signed_commits === undefined ? {} : { require_signed_commits }),
  };
}

function create({ repository, body }: RepositoryCall): TestAnswer {
  if (readAnswer(NewProtection, body).rule_name !== 'main') return refusal(422, 'no rule of the default branch');
  if (repository.protection !== null) return refusal(403, 'Branch protection already exist');
  const none = { enable_push: false, required_approvals: 0, require_signed_commits: false };
  repository.protection = { ...none, ...fieldsIn(body) };
  return { status: 201, json: row(repository) };
}

function change({ repository, parts: [name], body }: RepositoryCall): TestAnswer {
  if (repository.protection === null || name !== 'main') return notFound();
  repository.protection = { ...repository.protection, ...fieldsIn(body) };
  return { json: row(repository) };
}
