import type { Mutations } from './mutate.ts';

/** With code, as an outsider writes it who begins with the scaffolder. */
export const berthScan: Mutations = {
  connector: 'berth-scan',
  folder: 'tools/__fixtures__/connectors/berth-scan',
  faults: [
    {
      name: 'the API key is sent as a bearer token',
      file: 'src/connector.ts',
      find: "auth: { type: 'header', name: 'x-api-key', value: '{{api_key}}' },",
      replace: "auth: { type: 'bearer', value: '{{api_key}}' },",
    },
    {
      name: 'every region is asked at the address of one',
      file: 'src/connector.ts',
      find: "baseUrl: 'https://{{region}}.berth.example/v2',",
      replace: "baseUrl: 'https://eu.berth.example/v2',",
    },
    {
      name: 'the key is not required, although nothing works without it',
      file: 'src/connector.ts',
      find: "required: ['api_key', 'region', 'workspace'],",
      replace: "required: ['region', 'workspace'],",
    },
    {
      name: 'a form without a key counts as configured',
      file: 'src/connector.ts',
      find: "permissions: { egress: ['*.berth.example'] },",
      replace: "permissions: { egress: ['*.berth.example'] },\n  isConfigured: ({ workspace }) => workspace !== '',",
    },
    {
      name: 'the version of the API is not named when issues are asked for',
      file: 'src/connector.ts',
      find: "query: { state: 'open' }, headers: VERSION };",
      replace: "query: { state: 'open' } };",
    },
    {
      name: 'resolved issues are asked for as well',
      file: 'src/connector.ts',
      find: "query: { state: 'open' }",
      replace: "query: { state: 'all' }",
    },
    {
      name: 'the projects of another label are read',
      file: 'src/connector.ts',
      find: '...(config.label ? { label: config.label } : {})',
      replace: '...(config.label ? { tag: config.label } : {})',
    },
    {
      name: 'a page of projects is larger than it is taken to be',
      file: 'src/connector.ts',
      find: "sizeParameter: 'per_page', size: PAGE,",
      replace: 'size: PAGE + 1,',
    },
    {
      name: 'issues after the first page are left out',
      file: 'src/connector.ts',
      find: 'for (const issue of readAnswer(Issues, page).items) yield findingOf(issue);',
      replace: 'for (const issue of readAnswer(Issues, page).items) yield findingOf(issue);\n        break;',
    },
    {
      name: 'archived projects are read',
      file: 'src/connector.ts',
      find: '.filter(({ is_archived }) => !is_archived)',
      replace: '',
    },
    {
      name: 'ids are compared as texts, so that a sync goes on at a wrong place',
      file: 'src/connector.ts',
      find: 'one.uid > Number(since)',
      replace: 'String(one.uid) > since',
    },
    {
      name: 'a sync begins anew, whatever it has done already',
      file: 'src/connector.ts',
      find: 'since === undefined || one.uid > Number(since)',
      replace: 'since === undefined || one.uid > 0',
    },
    {
      name: 'the cursor comes before the issues that it stands for',
      file: 'src/connector.ts',
      find: 'const request = { path:',
      replace: "yield { kind: 'cursor', cursor: String(uid) };\n      const request = { path:",
    },
    {
      name: 'a project is known by its name',
      file: 'src/connector.ts',
      find: 'id: String(uid), name,',
      replace: 'id: String(uid).concat(name), name,',
    },
    {
      name: 'two severities are swapped',
      file: 'src/connector.ts',
      find: "MAJOR: 'high',\n  MINOR: 'medium',",
      replace: "MAJOR: 'medium',\n  MINOR: 'high',",
    },
    {
      name: 'a level that is not known is harmless',
      file: 'src/connector.ts',
      find: "throw new ConnectorError('upstream', 'Berth Scan answered with a level that is not known.');",
      replace: "return 'informational';",
    },
    {
      name: 'lines count from 0',
      file: 'src/connector.ts',
      find: 'startLine: row + 1',
      replace: 'startLine: Math.max(row, 1)',
    },
    {
      name: 'paths begin with a slash',
      file: 'src/connector.ts',
      find: "file.replace(/^\\/+/, '')",
      replace: 'file',
    },
    {
      name: 'days are those of the time zone of the server',
      file: 'src/connector.ts',
      find: 'new Date(found_at * 1000).toISOString()',
      replace: 'new Date(found_at * 1000).toString()',
    },
    {
      name: 'an unknown workspace is a broken service',
      file: 'src/connector.ts',
      find: "throw new ConnectorError('config', 'Berth Scan has no such workspace.'",
      replace: "throw new ConnectorError('upstream', 'Berth Scan has no such workspace.'",
    },
  ],
};
