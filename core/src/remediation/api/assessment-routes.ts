import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Done, Id, Nullable, OneOf, Timestamp } from '../../platform/api/envelope.ts';
import { ASSESSED_VERDICTS, ASSESSMENT_AVAILABILITIES, ASSESSMENT_STATES } from '../model/assessment.ts';
import { AiShare } from './routes.ts';

const strict = { additionalProperties: false } as const;
const params = Type.Object({ id: Id });
const reading = { permission: 'findings.read', tenant: false } as const;
/** Asks a provider: the handler opens its own, short transactions. */
const asking = { permission: 'findings.triage', tenant: false } as const;
const deciding = { permission: 'findings.triage', tenant: true } as const;

/** What a model proposes about a finding. It changes nothing of the finding: people decide. */
export const Assessment = Type.Object({
  verdict: OneOf(ASSESSED_VERDICTS),
  /** How sure the model says that it is, 0 to 100. */
  confidence: Type.Integer({ minimum: 0, maximum: 100 }),
  reasons: Type.Array(
    Type.Object({
      text: Type.String(),
      /** Lines of the file that the model was shown, from 1. */
      line: Type.Integer({ minimum: 1 }),
      end_line: Type.Integer({ minimum: 1 }),
    }),
  ),
  /** The file that the model was shown. */
  file_path: Type.String(),
  state: OneOf(ASSESSMENT_STATES),
  /** Whether the file is another one by now; null where that was not asked for, or the provider does not say. */
  is_stale: Nullable(Type.Boolean()),
  ai: AiShare,
  created_at: Timestamp,
  /** Username of who asked. */
  created_by: Nullable(Type.String()),
  decided_at: Nullable(Timestamp),
  /** Username of who dismissed it. */
  decided_by: Nullable(Type.String()),
});

const availabilityFields = {
  /** Whether a model can be asked about findings of the organisation. */
  availability: OneOf(ASSESSMENT_AVAILABILITIES),
  /** Why not, and what to do; null where it can. */
  unavailable_because: Nullable(Type.String()),
} as const;

export const Availability = Type.Object(availabilityFields);

export const FindingAssessment = Type.Object({
  ...availabilityFields,
  /** Somebody has asked, and the model has not answered yet. */
  is_running: Type.Boolean(),
  assessment: Nullable(Assessment),
});

const one = { params, response: Type.Object({ data: FindingAssessment }) } as const;

export const getAssessment = route({
  ...one,
  method: 'GET',
  path: '/findings/{id}/assessment',
  tag: 'ai',
  summary: 'What a model proposes about a finding; null where nobody asked',
  access: reading,
  /** `compare`: the file is read at its provider, to say whether the proposal is out of date. */
  query: Type.Object({ compare: Type.Optional(OneOf(['true', 'false'])) }, strict),
  errors: ['finding_not_found'],
});

export const assessFinding = route({
  ...one,
  method: 'POST',
  path: '/findings/{id}/assessment',
  tag: 'ai',
  summary:
    'Ask a model whether a finding is a false positive; anew where it was asked before. The finding stays as it is',
  access: asking,
  audit: 'findings.assessed',
  errors: [
    'finding_not_found',
    'conflict',
    'forbidden',
    'integration_not_configured',
    'connection_expired',
    'upstream_failed',
  ],
});

export const cancelAssessment = route({
  ...one,
  method: 'POST',
  path: '/findings/{id}/assessment/cancel',
  tag: 'ai',
  summary: 'End the question that a model is working on; what it answers later is dropped',
  access: asking,
  errors: ['finding_not_found', 'conflict'],
});

export const dismissAssessment = route({
  method: 'POST',
  path: '/findings/{id}/assessment/dismiss',
  tag: 'ai',
  summary: 'Say that the proposal of a model is of no use; the finding stays as it is',
  access: deciding,
  params,
  response: Done,
  errors: ['finding_not_found', 'conflict'],
});

export const assessFindings = route({
  method: 'POST',
  path: '/bulk_actions/assess',
  tag: 'ai',
  summary:
    'Ask a model about each of many findings, one after the other; those whose file it has seen already are not asked about again',
  access: deciding,
  audit: 'findings.assessed',
  body: Type.Object({ findings: Type.Array(Id, { minItems: 1, maxItems: 500 }) }, strict),
  response: Action(Type.Object({ job_id: Id })),
  status: 202,
  errors: ['conflict', 'forbidden', 'integration_not_configured'],
});

export const getAssessmentAvailability = route({
  method: 'GET',
  path: '/assessments/availability',
  tag: 'ai',
  summary: 'Whether a model can be asked about findings of the organisation, or why not',
  access: deciding,
  response: Type.Object({ data: Availability }),
});
