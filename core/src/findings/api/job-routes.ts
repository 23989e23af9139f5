import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Done, Id, Item, Nullable, OneOf, Timestamp } from '../../platform/api/envelope.ts';
import { Refused } from './verdict-routes.ts';

const JOB_STATUSES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
const access = { permission: 'findings.read', tenant: true } as const;
const params = Type.Object({ id: Id });

/** Long work. Counts and percentage grow while it runs; `refused` holds the first 1,000. */
export const Job = Type.Object({
  kind: Type.String(),
  status: OneOf(JOB_STATUSES),
  total: Type.Integer(),
  done: Type.Integer(),
  refused_count: Type.Integer(),
  refused: Refused,
  percentage: Type.Integer({ minimum: 0, maximum: 100 }),
  /** Why it failed. */
  detail: Nullable(Type.String()),
  created_at: Timestamp,
  finished_at: Nullable(Timestamp),
});

/** What runs, and what ended within a day and was not marked as seen: newest first, at most 20. */
export const listJobs = route({
  method: 'GET',
  path: '/jobs',
  tag: 'findings',
  summary: 'Own long work that runs, or whose end nobody has seen',
  access,
  response: Type.Object({ data: Type.Array(Item(Job)) }),
});

/** Of the caller's own; another's is not found. */
export const getJob = route({
  method: 'GET',
  path: '/jobs/{id}',
  tag: 'findings',
  summary: 'How far a long piece of work has come',
  access,
  params,
  response: Type.Object({ data: Item(Job) }),
  errors: ['not_found'],
});

/** 409 while it runs. */
export const seeJob = route({
  method: 'POST',
  path: '/jobs/{id}/seen',
  tag: 'findings',
  summary: 'Say that the end of own long work was seen',
  access,
  params,
  response: Done,
  errors: ['not_found', 'conflict'],
});
