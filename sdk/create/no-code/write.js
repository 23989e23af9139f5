import { AUTH, EXAMPLE_RECORD, mappingOf } from './draft.js';

/** A draft of a service that is not known yet. */
export const draftFromNothing = (url) => ({
  ...{
    baseUrl: url,
    ...AUTH.bearer(),
    request: { path: '/issues' },
    answer: [EXAMPLE_RECORD],
    record: EXAMPLE_RECORD,
    notWritten: [],
  },
  identity: { path: '/user', name: 'login', answer: { login: 'ada' } },
  fillIn: ['baseUrl, check.request and findings.request: the addresses of the real service'],
});

/** A value for a public field, so that the recorded conversation can be played. */
const testValue = (name) => `example-${name.replaceAll('_', '-')}`;

const filled = (value, values) =>
  JSON.parse(JSON.stringify(value).replace(/\{\{(\w+)\}\}/g, (whole, name) => values[name] ?? whole));

/** What auth sends, as conformance.json states it. */
const signatureOf = (auth) => {
  if (auth.type === 'none') return {};
  if (auth.type === 'header') return { signature: { [auth.name.toLowerCase()]: auth.value } };
  return { signature: { authorization: `${auth.type === 'basic' ? 'Basic' : 'Bearer'} ${auth.value}` } };
};

/**
 * The two files of a connector without code.
 * @returns `connector.json` and `conformance.json` as texts, and what a person has to fill in
 */
export const filesOf = (draft, { name, title, category, type }) => {
  const { auth, fields, request, record, records, answer, identity, baseUrl } = draft;
  const { map, severities, fillIn } = mappingOf(record, draft.choices);
  const check =
    identity === undefined
      ? { request, identity: `'${title}'` }
      : { request: { path: identity.path }, identity: identity.name };
  const connector = {
    ...{ id: name, version: '0.1.0', title, category, description: `Pulls findings from ${title}.` },
    documentation: draft.documentation ?? `${new URL(baseUrl).origin}/docs`,
    credentials: { type: 'object', required: Object.keys(fields), properties: fields },
    auth,
    baseUrl,
    permissions: { egress: [new URL(baseUrl).host] },
    check,
    findings: { request, ...(records === undefined ? {} : { records }), type, severities, map },
  };
  const isPublic = ([, field]) => field.writeOnly !== true;
  const values = Object.fromEntries(
    Object.entries(fields)
      .filter(isPublic)
      .map(([field]) => [field, testValue(field)]),
  );
  const exchange = { request: filled(request, values), answer: { body: answer } };
  const fixture = {
    ...(Object.keys(values).length === 0 ? {} : { credentials: values }),
    addresses: { baseUrl },
    ...signatureOf(auth),
    exchanges:
      identity === undefined ? [exchange] : [{ request: check.request, answer: { body: identity.answer } }, exchange],
    expect: { check: { identity: identity === undefined ? title : String(identity.answer[identity.name]) } },
  };
  const open = [
    ...draft.fillIn,
    ...(draft.documentation === undefined ? ['documentation: the page of the vendor about the API'] : []),
    ...(identity === undefined ? ['check: a path that says whose credentials these are, and "identity" for it'] : []),
    ...fillIn,
  ];
  const text = (content) => `${JSON.stringify(content, null, 2)}\n`;
  return {
    files: { 'connector.json': text(connector), 'conformance.json': text({ connectors: { [name]: fixture } }) },
    fillIn: open,
  };
};
