import { Type } from '@breakwater/sdk';

/** What is used of Jira's answers. Source: Jira Cloud REST API v3, Jira Data Center REST API v2 (10.x). */
const Word = Type.String({ minLength: 1 });
const Id = Type.String({ pattern: '^[0-9]{1,20}$' });

export const ServerInfo = Type.Object({ baseUrl: Word, deploymentType: Type.Optional(Type.String()) });

export const Myself = Type.Object({ displayName: Word });

const Project = Type.Object({ key: Word, name: Type.String() });

/** Data Center gives all of them at once. */
export const Projects = Type.Array(Project);

/** Cloud pages. */
export const ProjectPage = Type.Object({ values: Type.Array(Project), isLast: Type.Optional(Type.Boolean()) });

const IssueType = Type.Object({ id: Word, name: Word, subtask: Type.Optional(Type.Boolean()) });
const IssueTypes = Type.Array(IssueType);

/** Cloud calls the rows `issueTypes`, Data Center `values`. */
export const CreatedTypes = Type.Union([Type.Object({ issueTypes: IssueTypes }), Type.Object({ values: IssueTypes })]);

const FieldFacts = {
  name: Type.String(),
  required: Type.Boolean(),
  hasDefaultValue: Type.Optional(Type.Boolean()),
  allowedValues: Type.Optional(Type.Array(Type.Object({ name: Type.Optional(Type.String()) }))),
};
const CreatedField = Type.Object({ fieldId: Word, ...FieldFacts });

/** Cloud calls the rows `fields`, Data Center `values`. */
export const CreatedFields = Type.Union([
  Type.Object({ fields: Type.Array(CreatedField) }),
  Type.Object({ values: Type.Array(CreatedField) }),
]);

const Status = Type.Object({ name: Word, statusCategory: Type.Object({ key: Word }) });

export const Issue = Type.Object({ id: Id, key: Word, fields: Type.Object({ status: Status }) });

export const Found = Type.Object({ issues: Type.Array(Issue) });

export const Created = Type.Object({ id: Id, key: Word });

/** Of a comment or link that was made: texts and numbers, by edition. */
export const Made = Type.Object({ id: Type.Union([Word, Type.Integer()]) });

/** Body of a refusal. */
export const Refusal = Type.Object({
  errorMessages: Type.Optional(Type.Array(Type.String())),
  errors: Type.Optional(Type.Record(Type.String(), Type.String())),
});

export const Transitions = Type.Object({
  transitions: Type.Array(
    Type.Object({
      id: Word,
      name: Word,
      to: Status,
      fields: Type.Optional(Type.Record(Type.String(), Type.Object(FieldFacts))),
    }),
  ),
});

export const Comments = Type.Object({ comments: Type.Array(Type.Unknown()) });

export const IssueDelivery = Type.Object({ webhookEvent: Word, issue: Type.Optional(Issue) });
