import type { Json } from '@breakwater/sdk';
import type { TestAnswer } from '@breakwater/sdk/testing';
import { type Call, type Edition, type FakeIssue, type FakeJira, type FakeProject, refusal, TO_DO } from './state.ts';

interface Route {
  readonly method: string;
  readonly path: RegExp;
  /** Only in this edition. */
  readonly of?: Edition;
  answer(call: Call): TestAnswer;
}

const objectOf = (value: Json | undefined): Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};

const projectJson = ({ key, name }: FakeProject): Json => ({ id: `1${key.length}`, key, name });

const findProject = ({ projects }: FakeJira, key: string | undefined) => projects.find((one) => one.key === key);
const findIssue = ({ issues }: FakeJira, id: string | undefined): FakeIssue | undefined =>
  issues.find((one) => one.id === id || one.key === id);

const issueJson = ({ id, key, status }: FakeIssue): Json => ({
  id,
  key,
  fields: { status: { name: status.name, statusCategory: { key: status.category } } },
});

const NO_ISSUE = 'Issue does not exist or you do not have permission to see it.';

/** The two clauses that are asked for; anything else is no JQL of ours. */
const JQL = /^labels = "([\w-]+)" AND creator = currentUser\(\) ORDER BY created ASC$/;

function search({ jira, request }: Call): TestAnswer {
  const label = JQL.exec(request.query.get('jql') ?? '')?.[1];
  if (label === undefined) return refusal(400, 'Error in the JQL Query.');
  const isOurs = ({ fields, creator, isIndexed }: FakeIssue): boolean =>
    isIndexed && creator === jira.account && JSON.stringify(fields['labels']).includes(`"${label}"`);
  const found = jira.issues.filter(isOurs);
  // Cloud answers ids alone, unless fields are asked for
  const hasFields = jira.edition === 'data-center' || request.query.get('fields') !== null;
  return { json: { issues: found.map((issue) => (hasFields ? issueJson(issue) : { id: issue.id })) } };
}

/** A document in Cloud, a text in Data Center. */
function isText({ edition }: FakeJira, value: Json | undefined): boolean {
  if (edition === 'data-center') return typeof value === 'string' && value.length <= 32_767;
  const { type, version, content } = objectOf(value);
  return type === 'doc' && version === 1 && Array.isArray(content) && content.every(isSoundNode);
}

/** What Jira refuses in a document: a text without letters, a mark that does not go with code. */
function isSoundNode(value: Json): boolean {
  const { type, text, marks, content } = objectOf(value);
  if (type === 'text') {
    const names = Array.isArray(marks) ? marks.map((mark) => objectOf(mark)['type']) : [];
    const isMixed = names.includes('code') && names.some((name) => name !== 'code' && name !== 'link');
    return typeof text === 'string' && text !== '' && !isMixed;
  }
  return typeof type === 'string' && (!Array.isArray(content) || content.every(isSoundNode));
}

function create({ jira, body }: Call): TestAnswer {
  const fields = objectOf(objectOf(body)['fields']);
  const project = findProject(jira, String(objectOf(fields['project'])['key']));
  if (project === undefined) return refusal(400, '', { project: 'valid project is required' });
  if (!project.mayCreate) return refusal(403, 'You do not have permission to create issues in this project.');
  const errors: Record<string, string> = { ...project.refusals };
  for (const { fieldId, name, required, hasDefaultValue } of project.fields) {
    if (required && !hasDefaultValue && fields[fieldId] === undefined) errors[fieldId] = `${name} is required.`;
  }
  for (const name of Object.keys(fields)) {
    if (!project.fields.some(({ fieldId }) => fieldId === name))
      errors[name] = `Field '${name}' cannot be set. It is not on the appropriate screen, or unknown.`;
  }
  const isKnown = project.types.some(({ id }) => id === objectOf(fields['issuetype'])['id']);
  if (!isKnown) errors['issuetype'] = 'The issue type selected is invalid.';
  const { description } = fields;
  if (description !== undefined && !isText(jira, description)) {
    errors['description'] =
      jira.edition === 'cloud' ? 'Operation value must be an Atlassian Document' : 'Operation value must be a string';
  }
  if (Object.keys(errors).length > 0) return refusal(400, '', errors);
  jira.madeIssues += 1;
  const number = jira.madeIssues;
  const issue: FakeIssue = {
    id: String(10_000 + number),
    key: `${project.key}-${number}`,
    creator: jira.account,
    fields,
    status: TO_DO,
    comments: [],
    links: new Map(),
    resolution: null,
    isIndexed: jira.indexesAtOnce,
  };
  jira.issues.push(issue);
  return { status: 201, json: { id: issue.id, key: issue.key, self: `${jira.baseUrl}/rest/api/issue/${issue.id}` } };
}

/** For routes of one issue. */
const ofIssue =
  (answer: (call: Call, issue: FakeIssue) => TestAnswer) =>
  (call: Call): TestAnswer => {
    const issue = findIssue(call.jira, call.parts[0]);
    return issue === undefined ? refusal(404, NO_ISSUE) : answer(call, issue);
  };

const possible = ({ transitions }: FakeJira, { status }: FakeIssue) =>
  transitions.filter(({ to }) => to.name !== status.name);

function move({ jira, body }: Call, issue: FakeIssue): TestAnswer {
  const { transition, fields } = objectOf(body);
  const chosen = possible(jira, issue).find(({ id }) => id === objectOf(transition)['id']);
  if (chosen === undefined)
    return refusal(400, 'It seems that you have tried to perform an illegal workflow operation.');
  const given = objectOf(fields);
  const missing = Object.entries(chosen.fields ?? {}).filter(
    ([id, { required }]) => required && given[id] === undefined,
  );
  if (missing.length > 0) {
    return refusal(400, '', Object.fromEntries(missing.map(([id, { name }]) => [id, `${name} is required.`])));
  }
  issue.status = chosen.to;
  issue.resolution = String(objectOf(given['resolution'])['name'] ?? '') || null;
  return { status: 204 };
}

const transitionsJson = (jira: FakeJira, issue: FakeIssue): Json =>
  possible(jira, issue).map(({ id, name, to, fields = {} }) => ({
    id,
    name,
    to: { name: to.name, statusCategory: { key: to.category } },
    fields: Object.fromEntries(
      Object.entries(fields).map(([key, { name: title, required, allowed }]) => [
        key,
        {
          name: title,
          required,
          hasDefaultValue: false,
          ...(allowed === undefined ? {} : { allowedValues: allowed.map((one) => ({ name: one })) }),
        },
      ]),
    ),
  }));

const at = (rows: string) => ({ cloud: rows, 'data-center': 'values' });

export const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: /^\/serverInfo$/,
    answer: ({ jira }) => ({
      json: { baseUrl: jira.baseUrl, version: '10.3.0', deploymentType: jira.edition === 'cloud' ? 'Cloud' : 'Server' },
    }),
  },
  { method: 'GET', path: /^\/myself$/, answer: ({ jira }) => ({ json: { displayName: jira.account } }) },
  {
    method: 'GET',
    path: /^\/project\/search$/,
    of: 'cloud',
    answer: ({ jira, request }) => {
      const start = Number(request.query.get('startAt') ?? 0);
      const end = start + Number(request.query.get('maxResults') ?? 50);
      const values = jira.projects.slice(start, end).map(projectJson);
      return { json: { values, startAt: start, total: jira.projects.length, isLast: end >= jira.projects.length } };
    },
  },
  {
    method: 'GET',
    path: /^\/project$/,
    of: 'data-center',
    answer: ({ jira }) => ({ json: jira.projects.map(projectJson) }),
  },
  {
    method: 'GET',
    path: /^\/issue\/createmeta\/([^/]+)\/issuetypes$/,
    answer: ({ jira, parts: [key] }) => {
      const project = findProject(jira, key);
      if (project === undefined) return refusal(404, `No project could be found with key '${key}'.`);
      const types = project.mayCreate ? project.types : [];
      return { json: { [at('issueTypes')[jira.edition]]: types.map((type) => ({ ...type })), total: types.length } };
    },
  },
  {
    method: 'GET',
    path: /^\/issue\/createmeta\/([^/]+)\/issuetypes\/([^/]+)$/,
    answer: ({ jira, parts: [key] }) => {
      const rows = (findProject(jira, key)?.fields ?? []).map(({ allowed, ...facts }) => ({
        ...facts,
        ...(allowed === undefined ? {} : { allowedValues: allowed.map((name) => ({ name })) }),
      }));
      return { json: { [at('fields')[jira.edition]]: rows, total: rows.length } };
    },
  },
  { method: 'GET', path: /^\/search\/jql$/, of: 'cloud', answer: search },
  { method: 'GET', path: /^\/search$/, of: 'data-center', answer: search },
  {
    method: 'GET',
    path: /^\/search$/,
    of: 'cloud',
    answer: () => refusal(410, 'The requested API has been removed. Please migrate to the /rest/api/3/search/jql API.'),
  },
  { method: 'POST', path: /^\/issue$/, answer: create },
  { method: 'GET', path: /^\/issue\/([^/]+)$/, answer: ofIssue((_call, issue) => ({ json: issueJson(issue) })) },
  {
    method: 'POST',
    path: /^\/issue\/([^/]+)\/remotelink$/,
    answer: ofIssue(({ jira, body }, issue) => {
      if (!jira.mayLink) return refusal(403, 'No Link Issue Permission for issue.');
      const { globalId, object } = objectOf(body);
      const isNew = !issue.links.has(String(globalId));
      issue.links.set(String(globalId), object ?? null);
      return { status: isNew ? 201 : 200, json: { id: 1, self: '' } };
    }),
  },
  {
    method: 'GET',
    path: /^\/issue\/([^/]+)\/comment$/,
    answer: ofIssue((_call, { comments }) => ({ json: { comments, total: comments.length } })),
  },
  {
    method: 'POST',
    path: /^\/issue\/([^/]+)\/comment$/,
    answer: ofIssue(({ jira, body }, issue) => {
      const text = objectOf(body)['body'];
      if (!isText(jira, text)) return refusal(400, '', { comment: 'Comment body is not valid!' });
      issue.comments.push({ id: String(issue.comments.length + 1), body: text ?? null });
      return { status: 201, json: { id: String(issue.comments.length) } };
    }),
  },
  {
    method: 'GET',
    path: /^\/issue\/([^/]+)\/transitions$/,
    answer: ofIssue(({ jira }, issue) => ({ json: { transitions: transitionsJson(jira, issue) } })),
  },
  { method: 'POST', path: /^\/issue\/([^/]+)\/transitions$/, answer: ofIssue(move) },
];
