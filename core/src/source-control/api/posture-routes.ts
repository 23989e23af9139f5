import { POSTURE_CHECKS, SEVERITIES } from '@breakwater/sdk';
import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Id, Nullable, OneOf, Timestamp } from '../../platform/api/envelope.ts';

export const PostureCheckState = Type.Object({
  check: OneOf(POSTURE_CHECKS),
  label: Type.String(),
  /** Of the finding, where it is wrong. */
  title: Type.String(),
  mitigation: Type.String(),
  severity: OneOf(SEVERITIES),
  /** `unknown`: it could not be seen; its finding stays as it is. */
  state: OneOf(['ok', 'at-risk', 'unknown']),
  /** What is set, or why it could not be seen. */
  detail: Type.String(),
  branch: Nullable(Type.String()),
  /** Page of the provider where it is set. */
  url: Nullable(Type.String()),
  /** Its open finding, where the caller may see it. */
  finding_id: Nullable(Id),
});

export const RepositoryPosture = Type.Object({
  /** Whether its settings are read at all; `problem` says why not. */
  is_available: Type.Boolean(),
  /** Why the newest reading failed; null where it did not. */
  problem: Nullable(Type.String()),
  /** The newest reading that succeeded. */
  read_at: Nullable(Timestamp),
  checks: Type.Array(PostureCheckState),
});

export const getRepositoryPosture = route({
  method: 'GET',
  path: '/repositories/{id}/posture',
  tag: 'source-control',
  summary: 'Settings of a repository at its provider that decide how safe it is, as last read',
  access: { permission: 'repositories.read', tenant: true },
  params: Type.Object({ id: Id }),
  response: Type.Object({ data: RepositoryPosture }),
  errors: ['repository_not_found'],
});
