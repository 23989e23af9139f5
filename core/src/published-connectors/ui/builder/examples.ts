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
} as const;

/** Names of the files of a connector without code. */
export const DOCUMENT_FILE = 'connector.json';
export const FIXTURES_FILE = 'conformance.json';
