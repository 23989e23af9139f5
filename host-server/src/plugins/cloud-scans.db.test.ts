import { generateKeyPairSync } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startTestService, type TestService } from '@breakwater/sdk/testing';
import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeAws } from '../../../plugins/cloud/src/server/testing/fake-aws.ts';
import { fakeGcp } from '../../../plugins/cloud/src/server/testing/fake-gcp.ts';

/*
 * Prowler and CloudSploit cannot be installed here. Programs of their names write reports that the real ones wrote, and note with what they were
 * called; accounts are asked for at fakes of AWS and Google that check signatures.
 */
const REPORTS = path.join(import.meta.dirname, '../../../plugins/scanners/src/server/__fixtures__/reports');
const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
const AWS = { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: SECRET };
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const email = 'scanner@acme-prod.iam.gserviceaccount.com';
const KEY = JSON.stringify({
  type: 'service_account',
  project_id: 'acme-prod',
  private_key_id: 'abc',
  private_key: rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }),
  client_email: email,
});
const GCP = { service_account: 'scanner', project_id: 'acme-prod', client_email: email, application_credentials: KEY };

let folder: string;
let server: TestServer;
const services: TestService[] = [];
let isKeyActive = true;
const PROWLER = 'wanted=--output-directory; cp "$PLACE/prowler.json" "$(after "$@")/prowler.ocsf.json"; exit 3';

/** Notes arguments and environment in a folder of its own for each call, then does `rest`. */
const program = (name: string, rest: string): void => {
  const text = `#!/bin/sh
case "$1" in --version|--help) echo "Prowler 5.10.0"; exit 0 ;; esac
PLACE="${folder}"
seen="$PLACE/seen/${name}-$1-$$"
mkdir "$seen"
for argument in "$@"; do echo "$argument"; done > "$seen/args"
env > "$seen/env"
if [ -n "$GOOGLE_APPLICATION_CREDENTIALS" ]; then
  stat -c %a "$GOOGLE_APPLICATION_CREDENTIALS" > "$seen/mode"
  cp "$GOOGLE_APPLICATION_CREDENTIALS" "$seen/key"
fi
after() { while [ $# -gt 1 ]; do [ "$1" = "$wanted" ] && echo "$2"; shift; done; }
${rest}
`;
  writeFileSync(path.join(folder, 'bin', name), text, { mode: 0o755 });
};

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'breakwater-cloud-scans-'));
  for (const name of ['bin', 'seen']) mkdirSync(path.join(folder, name));
  copyFileSync(path.join(REPORTS, 'prowler/prowler__example_output_aws.ocsf.json'), path.join(folder, 'prowler.json'));
  copyFileSync(path.join(REPORTS, 'cloudsploit/cloudsploit_many_vul.json'), path.join(folder, 'cloudsploit.json'));
  program('prowler', PROWLER);
  program('cloudsploit-scan', `wanted=--json; cp "$PLACE/cloudsploit.json" "$(after "$@")"`);
  const gcp = fakeGcp(
    {
      ...{ email, keyId: 'abc', publicKey: rsa.publicKey, isEnabled: true, project: 'acme-prod' },
      ...{ mayView: true, apiEnabled: true, state: 'ACTIVE' },
    },
    new Date(),
  );
  services.push(
    await startTestService((request) =>
      fakeAws({ id: AWS.access_key_id, secret: SECRET, isActive: isKeyActive }, new Date())(request),
    ),
    await startTestService(gcp),
  );
  const [awsUrl, gcpUrl] = services.map(({ url }) => String(url));
  server = await startTestServer({
    isWorking: true,
    environment: {
      PATH: `${path.join(folder, 'bin')}:/usr/local/bin:/usr/bin:/bin`,
      BREAKWATER_DATA_DIR: path.join(folder, 'data'),
      BREAKWATER_ALLOW_PRIVATE_HOSTS: 'true',
      AWS_BASE_URL: awsUrl ?? '',
      GCP_BASE_URL: gcpUrl ?? '',
    },
  });
});
afterAll(async () => {
  await server.close();
  for (const service of services) await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const connect = async (connector: string, values: object): Promise<void> => {
  const { body } = await server.call('PUT', `/connectors/${connector}`, { as: 'admin', body: { values } });
  expect(body.data.attributes.state, JSON.stringify(body)).toBe('connected');
};

/** Saving a cloud asks for a scan by itself; until that one has ended there is nothing to compare with. */
const settled = async () => {
  for (;;) {
    const { body } = await server.call('GET', '/scan_requests', { as: 'admin' });
    const isOver = body.data.every((one: { attributes: { status: string } }) =>
      ['done', 'failed', 'cancelled'].includes(one.attributes.status),
    );
    if (isOver) return body.data;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

const scanClouds = async (scanType = 'cloud') => {
  const { body } = await server.call('POST', '/request_repo_scan', { as: 'admin', body: { scan_type: scanType } });
  await settled();
  const [id] = body.data.scan_requests;
  return (await server.call('GET', `/scan_requests/${id}`, { as: 'admin' })).body.data.attributes;
};

/** The folder of a scan is removed right after it has ended. */
const nothingLeft = async (): Promise<void> => {
  while (readdirSync(path.join(folder, 'data', 'scans')).length > 0) await new Promise((next) => setTimeout(next, 50));
};

const seen = (name: string) =>
  readdirSync(path.join(folder, 'seen'))
    .filter((entry) => entry.startsWith(name))
    .map((entry) => {
      const read = (file: string): string => {
        const place = path.join(folder, 'seen', entry, file);
        return existsSync(place) ? readFileSync(place, 'utf8') : '';
      };
      return { args: read('args'), env: read('env'), mode: read('mode').trim(), key: read('key') };
    });

const forget = (): void => {
  rmSync(path.join(folder, 'seen'), { recursive: true });
  mkdirSync(path.join(folder, 'seen'));
};

const applications = async (): Promise<{ id: string; name: string }[]> => {
  const { body } = await server.call('GET', '/repositories', { as: 'admin' });
  return body.data.map((one: { _id: string; attributes: { nickname: string } }) => ({
    id: one._id,
    name: one.attributes.nickname,
  }));
};

test('without a cloud that is connected the scan says so', async () => {
  const nothing = await scanClouds();
  expect(nothing).toMatchObject({ status: 'failed', code: 'cloud_missing', repository_id: null, tools: [] });
  expect(nothing.detail).toContain('No cloud is connected');
});

test('Prowler and CloudSploit look into every cloud that is connected, and their findings are those of the account', async () => {
  await connect('aws', AWS);
  await connect('gcp', GCP);
  await settled();
  forget();
  const scan = await scanClouds();
  expect(scan).toMatchObject({ status: 'done', code: null, detail: null });
  expect(scan.tools.map(({ title, status, version }: Record<string, unknown>) => [title, status, version])).toEqual([
    ['CloudSploit: AWS', 'done', 'unknown'],
    ['Prowler: AWS', 'done', '5.10.0'],
    ['CloudSploit: Google Cloud', 'done', 'unknown'],
    ['Prowler: Google Cloud', 'done', '5.10.0'],
  ]);
  const found = await applications();
  expect(found.map(({ name }) => name).toSorted()).toEqual(['AWS 123456789012', 'Google Cloud acme-prod']);
  for (const { id } of found) {
    const { body } = await server.call('GET', `/findings?filters[repository]=${id}`, { as: 'admin' });
    const tools = body.data.map((one: { attributes: { tool: string } }) => one.attributes.tool);
    expect(new Set(tools)).toEqual(new Set(['cloudsploit', 'prowler']));
  }
});

test('credentials reach the program by its environment or by a file that only it reads, and are nowhere afterwards', async () => {
  const [aws] = seen('prowler-aws');
  expect(aws?.args.split('\n').slice(0, 3)).toEqual(['aws', '-M', 'json-ocsf']);
  expect(aws?.env).toContain(`AWS_SECRET_ACCESS_KEY=${SECRET}\n`);
  expect(aws?.env).toContain('AWS_EC2_METADATA_DISABLED=true\n');
  const [gcp] = seen('prowler-gcp');
  expect(gcp?.args.split('\n').slice(0, 2)).toEqual(['gcp', '--project-id=acme-prod']);
  expect([gcp?.mode, gcp?.key]).toEqual(['600', KEY]);
  // one cloud's secrets are not the other's, and none of the server's own environment is there
  expect(gcp?.env).not.toContain('AWS_');
  expect(aws?.env).not.toMatch(/GOOGLE_|DATABASE_URL|BREAKWATER_DATA/);
  for (const { args } of [...seen('prowler'), ...seen('cloudsploit')]) {
    expect(args).not.toContain(SECRET);
    expect(args).not.toContain('PRIVATE KEY');
  }
  await nothingLeft();
  const kept = await server.scene.owner.query("select string_agg(t::text, ' ') as text from scan_requests t");
  for (const text of [server.logs.join('\n'), String(kept.rows[0].text)]) {
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain('PRIVATE KEY');
  }
});

test('a program that prints its credentials when it fails does not make them known; the other scanner goes on', async () => {
  program('prowler', 'cat "$GOOGLE_APPLICATION_CREDENTIALS" >&2; echo "secret $AWS_SECRET_ACCESS_KEY" >&2; exit 1');
  const scan = await scanClouds();
  expect(scan.status).toBe('done');
  const failed = scan.tools.filter(({ status }: { status: string }) => status === 'failed');
  expect(failed.map(({ title }: { title: string }) => title)).toEqual(['Prowler: AWS', 'Prowler: Google Cloud']);
  expect(failed[0].detail).toContain('secret ********');
  const said = JSON.stringify(scan) + server.logs.join('\n');
  const [, line = ''] = String(JSON.parse(KEY).private_key).split('\n');
  for (const secret of [SECRET, line, email]) expect(said).not.toContain(secret);
  await nothingLeft();
});

test('a cloud whose credentials are refused fails for itself, with the reason of its service', async () => {
  program('prowler', PROWLER);
  isKeyActive = false;
  forget();
  const scan = await scanClouds('prowler');
  expect(scan.tools).toMatchObject([
    { title: 'Prowler: AWS', status: 'failed', detail: expect.stringContaining('AWS') },
    { title: 'Prowler: Google Cloud', status: 'done' },
  ]);
  expect(seen('prowler-aws')).toEqual([]);
});
