import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Id, One } from '../../platform/api/envelope.ts';
import { FindingDetail } from './routes.ts';

const Reason = Type.Optional(Type.String({ maxLength: 2000 }));
const ONE_FINDING = {
  tag: 'findings',
  access: { permission: 'findings.correlate', tenant: true },
  params: Type.Object({ id: Id }),
  response: One(FindingDetail),
} as const;

/** Later imports keep to it; `conflict` where the finding neither is a duplicate nor has any. */
export const splitFinding = route({
  ...ONE_FINDING,
  method: 'POST',
  path: '/findings/{id}/split',
  summary: 'Say that a finding is no duplicate: it stands for itself',
  body: Type.Object({ reason: Reason }, { additionalProperties: false }),
  errors: ['finding_not_found', 'conflict'],
});

/** `conflict` where nobody split it. */
export const undoSplit = route({
  ...ONE_FINDING,
  method: 'DELETE',
  path: '/findings/{id}/split',
  summary: 'Take a split back: rules decide again',
  errors: ['finding_not_found', 'conflict'],
});

/** Both have to be open findings of one repository; `conflict` where they are not, or are the same already. */
export const joinFindings = route({
  ...ONE_FINDING,
  method: 'POST',
  path: '/findings/{id}/join',
  summary: 'Say that a finding is the same as another one of its repository',
  body: Type.Object({ with: Id, reason: Reason }, { additionalProperties: false }),
  errors: ['finding_not_found', 'conflict'],
});

/** `conflict` where nobody joined the two. */
export const undoJoin = route({
  ...ONE_FINDING,
  method: 'DELETE',
  path: '/findings/{id}/join',
  summary: 'Take a join back: rules decide again',
  query: Type.Object({ with: Id }, { additionalProperties: false }),
  errors: ['finding_not_found', 'conflict'],
});
