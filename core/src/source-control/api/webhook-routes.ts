import { type Static, Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Id, Nullable, OneOf, Timestamp } from '../../platform/api/envelope.ts';

/** `failed`: it could not be made, or not deleted; the problem says which, and why. */
export const WEBHOOK_STATES = ['none', 'active', 'failed'] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

export const RepositoryWebhook = Type.Object({
  /** Whether this server can make one for the repository; `problem` says why not. */
  is_available: Type.Boolean(),
  state: OneOf(WEBHOOK_STATES),
  /** Why there is none, or why it could not be made or deleted; null where nothing is wrong. */
  problem: Nullable(Type.String()),
  /** When the provider last took or refused it. */
  changed_at: Nullable(Timestamp),
  /** When it is tried again without being asked; null for never. */
  next_at: Nullable(Timestamp),
});
export type RepositoryWebhook = Static<typeof RepositoryWebhook>;

const OF_REPOSITORY = {
  path: '/repositories/{id}/webhook',
  tag: 'source-control',
  params: Type.Object({ id: Id }),
  response: Type.Object({ data: RepositoryWebhook }),
} as const;

const WRITES = ['repository_not_found', 'conflict'] as const;

export const getRepositoryWebhook = route({
  ...OF_REPOSITORY,
  method: 'GET',
  summary: 'The webhook by which the provider of a repository reports pushes and pull requests',
  access: { permission: 'repositories.read', tenant: true },
  errors: ['repository_not_found'],
});

export const createRepositoryWebhook = route({
  ...OF_REPOSITORY,
  method: 'POST',
  summary:
    'Makes the webhook of a repository at its provider, or brings it up to date; one that fails is kept with the reason',
  access: { permission: 'repositories.write', tenant: false },
  errors: WRITES,
});

export const removeRepositoryWebhook = route({
  ...OF_REPOSITORY,
  method: 'DELETE',
  summary: 'Deletes the webhook of a repository at its provider; it is not made again until somebody asks',
  access: { permission: 'repositories.write', tenant: false },
  errors: WRITES,
});
