import type { StartedProvider } from '@breakwater/sdk/testing';
import type { Browser } from 'playwright-core';
import { type FakeGitea, startFakeGitea } from '../../plugins/scm-gitea/src/server/testing/fake-gitea.ts';
import { ADMIN, type ApiClient, signIn } from './api.ts';
import { launchBrowser, newVisitor, type Visitor } from './browser.ts';
import { PASSWORD } from './database.ts';
import type { Seen } from './guide.ts';
import { type Installation, startInstallation } from './installation.ts';

const TOKEN = 'gitea-token-made-for-tests-only';
const SUPERADMIN = { email: 'root@breakwater.example', password: 'Tidal-Wave-43!' };
/** Colleagues of the admin, by name. */
export const DEVELOPER = 'grace';
const OPERATOR = 'lin';

/** What the walks through the user guide share: an installation that nobody has set up yet, and its people. */
export interface GuideWorld {
  installation: Installation;
  gitea: StartedProvider<FakeGitea>;
  browser: Browser;
  /** Not signed in before the set-up. */
  admin: Visitor;
  visitors: Visitor[];
}

/** Goes one section of the guide, and notes what is there. */
export type GuideWalk = (world: GuideWorld, seen: Seen) => Promise<void>;

export const startGuideWorld = async (): Promise<GuideWorld> => {
  const environment = {
    BREAKWATER_ALLOW_PRIVATE_HOSTS: 'true',
    BREAKWATER_SUPERADMIN_EMAIL: SUPERADMIN.email,
    BREAKWATER_SUPERADMIN_PASSWORD: SUPERADMIN.password,
  };
  const [installation, gitea, browser] = await Promise.all([
    startInstallation(undefined, environment),
    startFakeGitea({ token: TOKEN }),
    launchBrowser(),
  ]);
  const admin = await newVisitor(browser, installation.server.url);
  admin.expectTrouble(/answer: 401 GET .*\/session/);
  return { installation, gitea, browser, admin, visitors: [admin] };
};

export const stopGuideWorld = async ({ browser, installation, gitea }: GuideWorld): Promise<void> => {
  await browser.close();
  await installation.stop();
  await gitea.close();
};

/** One more person with a browser of their own, not signed in. */
export const addVisitor = async (world: GuideWorld): Promise<Visitor> => {
  const visitor = await newVisitor(world.browser, world.installation.server.url);
  visitor.expectTrouble(/answer: 401 GET .*\/session/);
  world.visitors.push(visitor);
  return visitor;
};

export const DEVELOPER_ACCOUNT = { name: DEVELOPER, password: PASSWORD };
export const SUPERADMIN_ACCOUNT = { name: SUPERADMIN.email, password: SUPERADMIN.password };

/** A developer and a security operator, with names that stay the same in the pictures. */
export const addColleagues = async ({ installation: { database } }: GuideWorld): Promise<void> => {
  for (const [role, name] of [
    ['developer', DEVELOPER],
    ['cyberoper', OPERATOR],
  ] as const) {
    const { id } = await database.addUser(role);
    // the superadmin's organisation is the older one
    const move = `update users set username = $1, email = $1 || '@harbour.example',
      client_id = (select id from clients where organization_name = $2) where id = $3`;
    await database.query(move, [name, ADMIN.organization_name, id]);
  }
};

const FLASK = {
  ...{ title: 'Flask leaks session cookies', severity: 'high', type: 'SCA', rule_id: 'CVE-2023-30861' },
  ...{ file_path: 'requirements.txt', component: 'flask', component_version: '1.0.0', fixed_version: '2.3.2' },
  ...{ purl: 'pkg:pypi/flask@1.0.0', ecosystem: 'pypi' },
};

const connectGitea = async (api: ApiClient, gitea: GuideWorld['gitea']): Promise<void> => {
  const values = { oauth_token: TOKEN, protocol: 'http', hosted_domain: '127.0.0.1', port: Number(gitea.url.port) };
  const saved = await api.call('PUT', '/connectors/gitea', { values });
  if (saved.body.data.attributes.state !== 'connected') throw new Error(JSON.stringify(saved.body));
};

/** A repository at Gitea with a finding that has a fix. @returns its id. */
export const addShop = async ({ installation, gitea }: GuideWorld): Promise<string> => {
  const api = await signIn(installation.server, ADMIN.username, ADMIN.password);
  await connectGitea(api, gitea);
  const [repository] = gitea.repositories;
  if (repository === undefined) throw new Error('no repository');
  const git = await repository.git();
  await git.commitFiles({
    branch: 'main',
    message: 'Add the shop',
    files: { 'requirements.txt': 'click==8.1.7\nflask==1.0.0\ngunicorn==23.0.0\n' },
  });
  const data = { nickname: 'shop', url: `${gitea.url.origin}/acme/repo-1.git`, repository_branch: 'main' };
  const made = await api.call('POST', '/create_repository_with_list', {
    source_control: 'gitea',
    data: [{ ...data, external_id: String(repository.id) }],
  });
  const report = { format: 'breakwater-findings', version: 1, tool: { name: 'Acme' }, findings: [FLASK] };
  const id: string = made.body.data[0]._id;
  const sent = await api.upload(id, 'acme.json', new TextEncoder().encode(JSON.stringify(report)));
  if (sent.body.data?.counts?.new !== 1) throw new Error(JSON.stringify(sent.body));
  return id;
};
