import type { Json } from '@breakwater/sdk';
import type { TestAnswer, TestAnswers, TestRequest } from '@breakwater/sdk/testing';

export type Edition = 'cloud' | 'data-center';

/** A status of a workflow. */
export interface FakeStatus {
  readonly name: string;
  readonly category: 'new' | 'indeterminate' | 'done';
}

/** A step that every issue can take whose status is another one. */
export interface FakeTransition {
  readonly id: string;
  readonly name: string;
  readonly to: FakeStatus;
  readonly fields?: Readonly<
    Record<string, { readonly name: string; readonly required: boolean; readonly allowed?: readonly string[] }>
  >;
}

export interface FakeField {
  readonly fieldId: string;
  readonly name: string;
  readonly required: boolean;
  readonly hasDefaultValue: boolean;
  readonly allowed?: readonly string[];
}

export interface FakeProject {
  readonly key: string;
  readonly name: string;
  readonly types: readonly { readonly id: string; readonly name: string; readonly subtask: boolean }[];
  fields: readonly FakeField[];
  /** What Jira says of a new issue in spite of its screen, by field: a validator of the workflow. */
  refusals: Readonly<Record<string, string>>;
  mayCreate: boolean;
}

export interface FakeIssue {
  readonly id: string;
  readonly key: string;
  readonly creator: string;
  readonly fields: Readonly<Record<string, Json>>;
  status: FakeStatus;
  readonly comments: Json[];
  /** By `globalId`. */
  readonly links: Map<string, Json>;
  resolution: string | null;
  /** Whether a search finds it: the index of Cloud comes after. */
  isIndexed: boolean;
}

export const TO_DO: FakeStatus = { name: 'To Do', category: 'new' };
export const DONE: FakeStatus = { name: 'Done', category: 'done' };
const REVIEW: FakeStatus = { name: 'In Review', category: 'indeterminate' };
const REJECTED: FakeStatus = { name: "Won't Do", category: 'done' };

export const TRANSITIONS: readonly FakeTransition[] = [
  { id: '11', name: 'Review', to: REVIEW },
  { id: '21', name: 'Reject', to: REJECTED },
  { id: '31', name: 'Finish', to: DONE },
];

const field = (fieldId: string, name: string, more: Partial<FakeField> = {}): FakeField => ({
  fieldId,
  name,
  required: false,
  hasDefaultValue: false,
  ...more,
});

export const FIELDS: readonly FakeField[] = [
  field('project', 'Project', { required: true }),
  field('issuetype', 'Issue Type', { required: true }),
  field('summary', 'Summary', { required: true }),
  field('description', 'Description'),
  field('labels', 'Labels'),
  field('priority', 'Priority', { allowed: ['Highest', 'High', 'Medium', 'Low', 'Lowest'] }),
  field('reporter', 'Reporter', { required: true, hasDefaultValue: true }),
];

export const newProject = (key: string, name: string): FakeProject => ({
  key,
  name,
  types: [
    { id: '10001', name: 'Task', subtask: false },
    { id: '10002', name: 'Bug', subtask: false },
    { id: '10003', name: 'Subtask', subtask: true },
  ],
  fields: FIELDS,
  refusals: {},
  mayCreate: true,
});

/** All that the fake keeps. Change it and the next request meets it. */
export interface FakeJira {
  readonly edition: Edition;
  /** The account that the token belongs to. */
  readonly account: string;
  /** Address of the site, as it calls itself. */
  baseUrl: string;
  projects: FakeProject[];
  readonly issues: FakeIssue[];
  /** How many were ever made: their numbers are not used again. */
  madeIssues: number;
  transitions: readonly FakeTransition[];
  mayLink: boolean;
  /** False: new issues are found by a search only once a test says so. */
  indexesAtOnce: boolean;
  readonly answer: TestAnswers;
}

export interface Call {
  readonly jira: FakeJira;
  readonly request: TestRequest;
  readonly parts: readonly string[];
  readonly body: Json;
}

/** How Jira refuses. */
export const refusal = (
  status: number,
  message: string,
  errors: Readonly<Record<string, string>> = {},
): TestAnswer => ({
  status,
  json: { errorMessages: message === '' ? [] : [message], errors },
});
