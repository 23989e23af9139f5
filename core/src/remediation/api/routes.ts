import { Type } from 'typebox';
import { MAX_FIXES_AT_ONCE } from '../../findings/model/bulk-limits.ts';
import { REMEDIATION_TYPES } from '../../findings/model/states.ts';
import { route } from '../../platform/api/contract.ts';
import { Action, Id, Nullable, One, OneOf, Timestamp } from '../../platform/api/envelope.ts';
import { CHANGE_KINDS, PROCESSING_STATUSES } from '../model/states.ts';
import { SentTicket } from './ticket-routes.ts';

const strict = { additionalProperties: false } as const;
const reading = { permission: 'findings.read', tenant: true } as const;
/** Asks a provider: the handler opens its own, short transactions. */
const fixing = { permission: 'findings.fix', tenant: false } as const;
const ordering = { permission: 'findings.fix', tenant: true } as const;
const params = Type.Object({ id: Id });

/** A value that a person gives for a template. */
export const TemplateFieldShape = Type.Object({
  key: Type.String(),
  label: Type.String(),
  help: Type.String(),
  default: Type.Optional(Type.String()),
  /** Regular expression that the whole value matches. */
  pattern: Type.String(),
  /** What is said of a value that does not match. */
  message: Type.String(),
});

/** What a model was used for one answer, with its rounds. */
export const AiShare = Type.Object({
  model: Type.String(),
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  /** US dollars; null where the connection has no prices. */
  cost_usd: Nullable(Type.Number()),
});

/** The same of a fix. */
const AiFixShare = Type.Object({
  ...AiShare.properties,
  /** What was wrong with the first answer, so that a second was asked for; null where there was one alone. */
  repaired: Nullable(Type.String()),
});

export const RemediationChange = Type.Object({
  at: Timestamp,
  /** Username; null for the server itself. */
  actor: Nullable(Type.String()),
  kind: OneOf(CHANGE_KINDS),
  from: Nullable(Type.String()),
  to: Nullable(Type.String()),
  detail: Nullable(Type.String()),
});

/** All fields of specification §3 "Remediation detail", and ours after them. */
export const RemediationAttributes = Type.Object({
  client_id: Id,
  finding_id: Id,
  repository_id: Id,
  title: Type.String(),
  description: Type.String(),
  date: Timestamp,
  file_path: Nullable(Type.String()),
  line: Nullable(Type.Integer()),
  processing_status: OneOf(PROCESSING_STATUSES),
  remediation_type: OneOf(REMEDIATION_TYPES),
  /** Unified diff of all its files. */
  code_diff: Nullable(Type.String()),
  /** As it was generated. */
  code_diff_original: Nullable(Type.String()),
  /** The first change with its surroundings. */
  code_snippet: Nullable(Type.String()),
  code_snippet_original: Nullable(Type.String()),
  is_template: Type.Boolean(),
  template: Nullable(Type.String()),
  template_fields: Type.Array(TemplateFieldShape),
  template_values: Type.Record(Type.String(), Type.String()),
  diff_parser: Type.Literal('git'),
  diff_format: Type.Literal('unified'),
  /** Address of the pull request or issue. */
  reference_url: Nullable(Type.String()),
  /** Branch that the fix goes into, and the one that holds it. */
  branch: Type.String(),
  fix_branch: Type.String(),
  repository: Type.String(),
  /** Number of the pull request or issue at the provider. */
  number: Nullable(Type.Integer()),
  /** Files that its diff may touch. */
  files: Type.Array(Type.String()),
  is_edited: Type.Boolean(),
  /** Another one after every change of diff, title or description. */
  revision: Type.String(),
  /** Why there is no fix. */
  failure: Nullable(Type.String()),
  /** What else is to be done, such as a command to run. */
  remarks: Type.Array(Type.String()),
  /** What applying it changes in the settings at the provider; null where it is no fix of settings. */
  settings: Nullable(Type.Array(Type.Object({ setting: Type.String(), from: Type.String(), to: Type.String() }))),
  /** The model that wrote the fix, and what it took; null where it was made without one. */
  ai: Nullable(AiFixShare),
  /** One a ticket system that it was sent to. */
  tickets: Type.Array(SentTicket),
  /** Newest first, at most 50. */
  history: Type.Array(RemediationChange),
});

const one = { params, response: One(RemediationAttributes) } as const;

export const getRemediation = route({
  ...one,
  method: 'GET',
  path: '/remediation/{id}',
  tag: 'remediation',
  summary: 'One remediation, by its own id',
  access: reading,
  errors: ['remediation_not_found'],
});

export const getFindingRemediation = route({
  method: 'GET',
  path: '/findings/{id}/remediation',
  tag: 'remediation',
  summary: 'The remediation of a finding; null where none was asked for',
  access: reading,
  params,
  response: Type.Object({ data: Nullable(Type.Object({ _id: Id, attributes: RemediationAttributes })) }),
  errors: ['finding_not_found'],
});

export const generateRemediation = route({
  ...one,
  method: 'POST',
  path: '/remediation/{id}',
  tag: 'remediation',
  summary:
    'Generate the fix of a finding, by the id of the finding; anew where there is one that nothing was opened for',
  access: fixing,
  /** `ai`: a model writes it; else a model is asked only where there is no fix without one. */
  query: Type.Object({ engine: Type.Optional(OneOf(['ai'])) }, strict),
  errors: ['finding_not_found', 'conflict', 'integration_not_configured'],
});

export const cancelGeneration = route({
  ...one,
  method: 'POST',
  path: '/remediation/{id}/cancel',
  tag: 'remediation',
  summary: 'End the generation of a fix that is under way, by the id of the remediation',
  access: fixing,
  errors: ['remediation_not_found', 'conflict'],
});

export const generateIssue = route({
  ...one,
  method: 'POST',
  path: '/issues/{id}',
  tag: 'remediation',
  summary: 'Prepare an issue about a finding, by the id of the finding',
  access: fixing,
  errors: ['finding_not_found', 'conflict'],
});

const RemediationEdit = Type.Object(
  {
    code_diff: Type.Optional(Type.String({ minLength: 1, maxLength: 5_000_000 })),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 250 })),
    description: Type.Optional(Type.String({ maxLength: 50_000 })),
    /** `revision` of what was edited: where somebody else has changed it since, nothing is written. */
    revision: Type.Optional(Type.String({ maxLength: 64 })),
  },
  { ...strict, minProperties: 1 },
);

const edit = { ...one, method: 'PUT', tag: 'remediation', body: RemediationEdit, access: fixing } as const;
const editErrors = ['remediation_not_found', 'conflict', 'integration_not_configured', 'upstream_failed'] as const;

export const editRemediation = route({
  ...edit,
  path: '/remediation/{id}/edit',
  summary: 'Change the diff or text of a remediation; a diff must fit its files as they are now and touch no others',
  errors: editErrors,
});

export const editIssue = route({
  ...edit,
  path: '/issues/{id}/edit',
  summary: 'The same as PUT /remediation/{id}/edit',
  errors: editErrors,
});

const TemplateValues = Type.Object(
  {
    template_values: Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 2000 }), {
      maxProperties: 50,
    }),
  },
  strict,
);

export const fillTemplate = route({
  ...one,
  method: 'POST',
  path: '/remediation/fill-template/{id}',
  tag: 'remediation',
  summary: 'Give the values that the template of a remediation asks for',
  access: fixing,
  body: TemplateValues,
  errors: ['remediation_not_found', 'conflict'],
});

export const previewTemplate = route({
  method: 'POST',
  path: '/remediation/preview-template/{id}',
  tag: 'remediation',
  summary: 'The diff that the template of a remediation would make of these values; nothing is written',
  access: fixing,
  params,
  body: TemplateValues,
  response: Type.Object({
    data: Type.Object({
      /** Null while a value is missing or wrong. */
      code_diff: Nullable(Type.String()),
      /** What is wrong, by field. */
      problems: Type.Record(Type.String(), Type.String()),
    }),
  }),
  errors: ['remediation_not_found', 'conflict', 'integration_not_configured', 'connection_expired', 'upstream_failed'],
});

const named = Type.Object({ remediation_id: Id }, strict);

/** What was opened at the provider. */
const Opened = Action(
  Type.Object({
    remediation_id: Id,
    url: Type.String(),
    number: Nullable(Type.Integer()),
    repository: Type.String(),
    /** Branch that holds the fix; null for an issue. */
    branch: Nullable(Type.String()),
    /** Branch that it goes into; null for an issue. */
    target: Nullable(Type.String()),
  }),
);
const openErrors = [
  'remediation_not_found',
  'conflict',
  'integration_not_configured',
  'connection_expired',
  'upstream_failed',
] as const;

export const openPullRequest = route({
  method: 'POST',
  path: '/pull_request',
  tag: 'remediation',
  summary: 'Open the pull request of a remediation; asked for again, it answers the same one',
  access: fixing,
  body: named,
  response: Opened,
  errors: openErrors,
});

export const createIssue = route({
  method: 'POST',
  path: '/create_issue',
  tag: 'remediation',
  summary: 'Open the issue of a remediation at the provider; asked for again, it answers the same one',
  access: fixing,
  body: named,
  response: Opened,
  errors: openErrors,
});

export const applySettings = route({
  ...one,
  method: 'POST',
  path: '/remediation/{id}/settings',
  tag: 'remediation',
  summary: 'Change the settings at the provider that the fix names; asked for again, it answers what was done',
  // with the rights of the connection, which are those of an administrator there
  access: { permission: 'connectors.write', tenant: false },
  audit: 'connector.settings-changed',
  errors: openErrors,
});

const Ids = Type.Array(Id, { minItems: 1, maxItems: MAX_FIXES_AT_ONCE });

/** One pull request for each fix, which is the default, or one for all fixes of a repository. */
const Group = Type.Optional(OneOf(['finding', 'repository']));
const Started = Action(Type.Object({ job_id: Id }));

/** Where the fixes of many findings would be opened. */
export const BulkPlan = Type.Object({
  /** Repositories with the branch that pull requests go into, most findings first. */
  targets: Type.Array(
    Type.Object({
      repository: Type.String(),
      branch: Type.String(),
      findings: Type.Integer(),
      /** False where the repository was added by its address: nothing can be opened there. */
      can_open: Type.Boolean(),
      /** Of the findings, those whose fix is ready. */
      ready: Type.Integer(),
      /** Branch of the pull request where all fixes of the repository go together. */
      fix_branch: Type.String(),
      /** The same where only those that are ready are opened; null where there are none. */
      ready_fix_branch: Nullable(Type.String()),
    }),
  ),
  /** Remediations that are ready to be opened. */
  ready: Type.Array(Id),
  /** Findings whose fix is open or merged already. */
  opened: Type.Integer(),
});

export const planPatches = route({
  method: 'POST',
  path: '/bulk_actions/plan',
  tag: 'remediation',
  summary: 'Where the fixes of many findings would be opened, and which are ready; nothing is written',
  access: ordering,
  body: Type.Object({ findings: Ids }, strict),
  response: Type.Object({
    data: BulkPlan,
  }),
});

export const generatePatches = route({
  method: 'POST',
  path: '/bulk_actions/generate_patch',
  tag: 'remediation',
  summary: 'Generate the fixes of many findings and, where asked for, open their pull requests and issues',
  access: ordering,
  body: Type.Object(
    {
      findings: Ids,
      apply_pr: Type.Optional(Type.Boolean()),
      apply_issues: Type.Optional(Type.Boolean()),
      group: Group,
      /** False: no model is asked where there is no fix without one. */
      ask_ai: Type.Optional(Type.Boolean()),
    },
    strict,
  ),
  response: Started,
  status: 202,
});

export const applyPatches = route({
  method: 'POST',
  path: '/bulk_actions/apply_patch',
  tag: 'remediation',
  summary: 'Open the pull request or issue of each of many remediations',
  access: ordering,
  body: Type.Object({ remediations: Ids, group: Group }, strict),
  response: Started,
  status: 202,
});
