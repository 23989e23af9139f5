// no text in this file: what somebody might write into the document, the same in every language
/** Placeholders of the form. */
export const EXAMPLE = {
  name: 'Harbour Scan',
  id: 'harbour-scan',
  documentation: 'https://docs.harbour.example/api',
  address: 'https://api.harbour.example/v1',
  host: 'api.harbour.example',
  query: 'state = open',
  account: '/account',
  identity: 'user.email',
  records: 'data.issues',
  projects: '/projects',
  issues: '/issues',
  where: "state = 'open'",
  messages: '/messages',
  tickets: '/tickets',
  ticket: '/tickets/{{ticket.id}}',
  recognise: '"generator":"harbour"',
  same: 'rule, path and line',
  draft: 'title = {{finding.title}}',
} as const;

/** Parts that are added, as they begin. */
export const NEW_NOTIFY = {
  text: 'plain',
  request: { path: '', body: { text: '{{message.title}}\n{{message.text}}\n{{message.link}}' } },
} as const;
export const NEW_TICKET = {
  text: 'plain',
  draft: { title: '{{finding.title}}', description: '{{finding.description}}', url: '{{finding.url}}' },
  find: { request: { path: '', query: { external_id: '{{idempotencyKey}}' } }, where: 'external_id = $key' },
  create: {
    request: {
      path: '',
      body: { title: '{{draft.title}}', text: '{{draft.description}}', external_id: '{{idempotencyKey}}' },
    },
  },
  map: { id: 'id', url: 'url', status: 'status', isDone: "status = 'done'" },
} as const;
export const NEW_REPORT = {
  type: 'SAST',
  format: 'json',
  recognise: [],
  identity: '',
  severities: {},
  map: { ruleId: '', title: '', severity: '' },
} as const;
export const NEW_READ = { request: { path: '/tickets/{{ticket.id}}', accept: [404] } } as const;
export const NEW_CLOSE = {
  request: { method: 'PATCH', path: '/tickets/{{ticket.id}}', body: { status: 'done', comment: '{{comment}}' } },
} as const;

/** Names of the files of a connector without code. */
export const DOCUMENT_FILE = 'connector.json';
export const FIXTURES_FILE = 'conformance.json';
