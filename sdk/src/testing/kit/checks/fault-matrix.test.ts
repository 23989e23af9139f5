import { expect, it } from 'vitest';
import { defineConnector, type Json, monogram, type PostureAnswer, readAnswer, Type } from '../../../index.ts';
import type { AnyConnectorCode } from '../../../server.ts';
import type { ConnectorFixture } from '../../fixtures.ts';
import { playRecorded } from '../service/recorded.ts';
import { openSubject } from '../service/subject.ts';
import { checkFaultMatrix, playFaults } from './fault-matrix.ts';

/** What may not be seen must come out as unknown, also where something else always is. */

const connector = defineConnector({
  id: 'wharf',
  title: 'Wharf',
  category: 'source-control',
  image: monogram('Wh'),
  description: 'Shows settings of repositories.',
  documentation: 'https://wharf.example/docs',
  credentials: {
    type: 'object',
    required: ['token'],
    properties: { token: { type: 'string', title: 'Token', writeOnly: true } },
  },
  auth: { type: 'bearer', value: '{{token}}' },
  baseUrl: 'https://api.wharf.example',
  permissions: { egress: ['api.wharf.example'] },
});

const User = Type.Object({ login: Type.String({ minLength: 1 }) });
const Rows = Type.Array(Type.Object({ id: Type.String(), name: Type.String() }));
const Settings = Type.Object({ protected: Type.Boolean() });
const KEYS: PostureAnswer = { check: 'stale-deploy-keys', state: 'unknown', detail: 'Wharf does not tell.' };

/** @param hidden what it answers where the settings are refused */
const wharf = (hidden: PostureAnswer['state']): AnyConnectorCode => ({
  check: async ({ http }) => ({ identity: readAnswer(User, await http.json({ path: '/me' })).login }),
  scm: {
    user: async ({ http }) => ({ name: readAnswer(User, await http.json({ path: '/me' })).login }),
    async *listRepositories({ http }) {
      const rows = readAnswer(Rows, await http.json({ path: '/repositories' }));
      yield* rows.map(({ id, name }) => ({ id, name, url: `https://wharf.example/${name}` }));
    },
    async *listBranches({ http }) {
      const rows = readAnswer(Rows, await http.json({ path: '/branches' }));
      yield* rows.map(({ id, name }) => ({ name, commit: id }));
    },
    posture: async ({ http }) => {
      let settings: Json | null = null;
      const answer = await http.request({ path: '/settings', accept: [403] });
      if (answer.status !== 403) settings = await http.json({ path: '/settings' });
      const state = settings === null ? hidden : readAnswer(Settings, settings).protected ? 'ok' : 'at-risk';
      return [{ check: 'branch-protection', state, detail: 'As the settings say.' }, KEYS];
    },
  },
});

const row = { id: '1', name: 'pier' };
const fixture: ConnectorFixture = {
  addresses: { baseUrl: 'https://api.wharf.example' },
  signature: { authorization: 'Bearer {{token}}' },
  exchanges: [
    { request: { path: '/me' }, answer: { body: { login: 'ada' } } },
    { request: { path: '/repositories' }, answer: { body: [row] } },
    { request: { path: '/branches' }, answer: { body: [row] } },
    { request: { path: '/settings' }, answer: { body: { protected: true } } },
  ],
  calls: { scm: { repository: '1', posture: true } },
};

it.each([
  ['unknown', 0],
  ['ok', 1],
] as const)('settings that may not be seen and are said to be %s', async (hidden, issues) => {
  const subject = await openSubject({ connector, code: wharf(hidden), fixture, folder: import.meta.dirname });
  const recorded = await playRecorded(subject);
  const { issues: found } = checkFaultMatrix(await playFaults(subject, recorded), recorded);
  const unseen = found.filter(({ what }) => what.includes('as if it had seen'));
  expect(unseen).toHaveLength(issues);
});
