import { createServer } from 'node:http';
import { type StartedProvider, startTestService } from '@breakwater/sdk/testing';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeOpenai } from '../../plugins/ai-remediator/src/server/testing/fake-openai.ts';
import { type FakeGitea, startFakeGitea } from '../../plugins/scm-gitea/src/server/testing/fake-gitea.ts';
import { accessibilityIssues } from '../harness/accessibility.ts';
import { ADMIN, type ApiClient, setUp } from '../harness/api.ts';
import { launchBrowser, lookAt, newVisitor, takeShot, type Visitor } from '../harness/browser.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { eventually, stopAfterFailure } from '../harness/journey.ts';
import { findingPanel, listRows, signInOnScreen } from '../harness/screens.ts';

/*
 * From the finding to the pull request, by one person in the browser. Gitea is a fake with real git repositories; all else is the product.
 */
const TOKEN = 'gitea-token-made-for-tests-only';
const DOCKERFILE = 'FROM alpine:3.20\nRUN apk add --no-cache curl\nWORKDIR /app\nCOPY . .\nCMD ["/app/run"]\n';
/** Services whose container runs as root; of one the fix is edited by hand, of another one opened by keys. */
const SERVICES = 50;

let gitea: StartedProvider<FakeGitea>;
let installation: Installation;
let browser: Browser;
let api: ApiClient;
let visitor: Visitor;
let page: Page;

const provider = () => {
  const [repository] = gitea.repositories;
  if (repository === undefined) throw new Error('no repository');
  return repository;
};

/** A container that runs as root; without its file in the repository there is no fix. */
const rootContainer = (folder: string) => ({
  ...{ title: 'Container runs as root', severity: 'medium', type: 'IaC', rule_id: 'DS002' },
  ...{ file_path: `${folder}/Dockerfile`, start_line: 1 },
});
const FLASK = {
  ...{ title: 'Flask leaks session cookies', severity: 'high', type: 'SCA', rule_id: 'CVE-2023-30861' },
  ...{ file_path: 'requirements.txt', component: 'flask', component_version: '1.0.0', fixed_version: '2.3.2' },
  ...{ purl: 'pkg:pypi/flask@1.0.0', ecosystem: 'pypi' },
};

const CODE_FILE = 'routes/download.ts';
const UNSAFE = '  res.sendFile(path.resolve("ftp", req.params.file));';
const CODE = `import path from 'node:path';\n\nexport const download = (req, res) => {\n${UNSAFE}\n};\n`;
/** Nothing but a change of the code mends it. */
const TRAVERSAL = {
  ...{ title: 'Path of a download from the request', severity: 'high', type: 'SAST', rule_id: 'path-traversal' },
  ...{ file_path: CODE_FILE, start_line: 4, cwe: [22] },
};

const connectGitea = async (): Promise<void> => {
  const values = { oauth_token: TOKEN, protocol: 'http', hosted_domain: '127.0.0.1', port: Number(gitea.url.port) };
  const saved = await api.call('PUT', '/connectors/gitea', { values });
  expect(saved.body.data.attributes.state, JSON.stringify(saved.body)).toBe('connected');
};

const addShop = async (): Promise<void> => {
  const folders = Array.from({ length: SERVICES }, (_, index) => `service-${index + 1}`);
  const files = Object.fromEntries(folders.map((folder) => [`${folder}/Dockerfile`, DOCKERFILE]));
  const git = await provider().git();
  await git.commitFiles({
    branch: 'main',
    message: 'Add the shop',
    files: { ...files, 'requirements.txt': 'flask==1.0.0\n', [CODE_FILE]: CODE },
  });
  const made = await api.call('POST', '/create_repository_with_list', {
    source_control: 'gitea',
    data: [
      {
        ...{ nickname: 'shop', url: `${gitea.url.origin}/acme/repo-1.git`, repository_branch: 'main' },
        external_id: String(provider().id),
      },
    ],
  });
  const findings = [FLASK, TRAVERSAL, ...[...folders, 'gone-1', 'gone-2'].map(rootContainer)];
  const report = { format: 'breakwater-findings', version: 1, tool: { name: 'Acme' }, findings };
  const sent = await api.upload(made.body.data[0]._id, 'acme.json', new TextEncoder().encode(JSON.stringify(report)));
  expect(sent.body.data?.counts?.new, JSON.stringify(sent.body)).toBe(findings.length);
};

beforeAll(async () => {
  gitea = await startFakeGitea({ token: TOKEN });
  installation = await startInstallation(undefined, { BREAKWATER_ALLOW_PRIVATE_HOSTS: 'true' });
  browser = await launchBrowser();
  api = await setUp(installation.server);
  await connectGitea();
  await addShop();
  visitor = await newVisitor(browser, installation.server.url);
  ({ page } = visitor);
  visitor.expectTrouble(/answer: 401 GET .*\/session/);
  await signInOnScreen(page, ADMIN.username, ADMIN.password);
});
afterAll(async () => {
  await browser?.close();
  await installation?.stop();
  await gitea?.close();
});
stopAfterFailure();

let clicks = 0;
const click = async (target: Locator): Promise<void> => {
  clicks += 1;
  await target.click();
};

test('from the finding to its pull request in four clicks', async () => {
  await page.goto('/findings');
  await click(listRows(page).getByRole('link', { name: 'Flask leaks session cookies' }));
  await click(findingPanel(page).getByRole('tab', { name: 'Fix' }));
  await click(findingPanel(page).getByRole('button', { name: 'Generate fix' }));
  await findingPanel(page).getByText('+flask==2.3.2').waitFor();
  await findingPanel(page).getByText('Pull request in shop:').waitFor();
  await click(findingPanel(page).getByRole('button', { name: 'Open pull request' }));
  const link = findingPanel(page).getByRole('link', { name: 'Open pull request 1' });
  await eventually(() => link.getAttribute('href')).toContain('/acme/repo-1/pulls/1');
  expect(clicks).toBe(4);
  await page.goto('/');
  const step = page
    .getByRole('region', { name: 'Set-up' })
    .getByRole('listitem')
    .filter({ hasText: 'Open a pull request' });
  await step.getByText('Done').last().waitFor();
  visitor.assertCalm();
});

/** Acceptance point 16: both layouts, signs beside the colours, whitespace and hunks that are left out. */
const lookAtPatch = async (): Promise<void> => {
  const sides = page.getByRole('radiogroup', { name: 'Layout of the patch' });
  const before = page.getByLabel('service-1/Dockerfile now');
  const signs = () => page.locator('.cm-sign .is-added, .cm-sign .is-removed').allTextContents();
  await before.waitFor();
  expect(await signs()).toEqual(['+']);
  await sides.getByText('Unified').click();
  await before.waitFor({ state: 'detached' });
  expect(await signs()).toEqual(['+']);
  await takeShot(page, 'patch-unified');
  const spaces = () => page.locator('.cm-highlightSpace').count();
  expect(await spaces()).toBe(0);
  await page.getByText('Show whitespace').click();
  await eventually(async () => (await spaces()) > 0).toBe(true);
  await page.getByText('Show whitespace').click();
  await eventually(spaces).toBe(0);
  await sides.getByText('Side by side').click();
  await before.waitFor();
  const hunk = page.getByRole('region', { name: /^Lines .* of service-1\/Dockerfile$/ });
  await hunk.getByRole('checkbox').click({ force: true });
  await hunk.getByText('Left out: the file stays here as it is').waitFor();
  await page.getByText('Nothing is taken any more').waitFor();
  await page.getByRole('button', { name: 'Drop my changes' }).click();
  await hunk.getByText('Left out: the file stays here as it is').waitFor({ state: 'detached' });
};

/** Changes the fix as a colleague would. */
const editByApi = async (findingId: string, title: string): Promise<void> => {
  const { body } = await api.get(`/findings/${findingId}/remediation`);
  const edited = await api.call('PUT', `/remediation/${body.data._id}/edit`, { title });
  expect(edited.status, JSON.stringify(edited.body)).toBe(200);
};

test('the patch is edited with a live diff, a colleague is faster and nothing is lost, and what was saved is opened', async () => {
  const { body } = await api.get('/findings?filters[file]=service-1/Dockerfile');
  const id = String(body.data[0]._id);
  await page.goto(`/findings/${id}/fix`);
  await page.getByRole('button', { name: 'Generate fix' }).click();
  const after = page.getByLabel('service-1/Dockerfile after the patch');
  await after.waitFor();
  await lookAt(page, 'patch');
  await lookAtPatch();
  await page.getByLabel('User').fill('root');
  await page.getByText('Give a user other than root').waitFor();
  await page.getByLabel('User').fill('app');
  await page.getByRole('region', { name: 'Preview' }).getByText('+USER app').waitFor();
  await takeShot(page, 'patch-template');
  await after.getByText('USER 10001:10001').click();
  await page.keyboard.press('End');
  await page.keyboard.type('\nENV HOME=/app');
  await page.getByText('Not saved', { exact: true }).waitFor();
  await editByApi(id, 'Title of a colleague');
  await page.getByText('has changed this fix meanwhile').waitFor();
  expect(await accessibilityIssues(page)).toEqual([]);
  await takeShot(page, 'patch-conflict');
  await page.getByRole('button', { name: 'Save mine over it' }).click();
  await eventually(() => page.getByText('Not saved', { exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Open pull request' }).click();
  await page.getByRole('link', { name: 'Open pull request 2' }).waitFor();
  const git = await provider().git();
  const branch = (await page.locator('.place code').first().textContent()) ?? '';
  const written = (await git.readFile(`refs/heads/${branch}`, 'service-1/Dockerfile'))?.content.toString('utf8');
  expect(written).toContain('USER 10001:10001\nENV HOME=/app\n');
  visitor.assertCalm();
});

test('r and p do the same by keyboard: r in the list names where the fixes go, in the panel it generates, p opens', async () => {
  await page.goto('/findings?file=service-3/Dockerfile');
  await listRows(page).getByRole('link').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog', { name: 'Fix 1 finding' });
  await dialog.getByRole('list', { name: 'Repositories' }).getByText('1 finding').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await listRows(page).getByRole('link').first().focus();
  await page.keyboard.press('Enter');
  await findingPanel(page).getByRole('tab', { name: 'Fix' }).waitFor();
  await page.keyboard.press('r');
  await findingPanel(page).getByText('+USER 10001:10001').waitFor();
  await findingPanel(page).getByRole('button', { name: 'Open pull request' }).waitFor();
  await page.keyboard.press('p');
  await findingPanel(page).getByRole('link', { name: 'Open pull request 3' }).waitFor();
  visitor.assertCalm();
});

test('fifty findings of one fix are patched together: progress, and two refused with reasons', async () => {
  await page.goto('/findings?group=fix&status=enriched');
  const groups = page.getByRole('list', { name: 'Findings by fix' });
  const group = groups.getByRole('button', { name: /^Run the container as .* closes 50 findings in 1 repository/ });
  await group.click();
  await page
    .getByRole('list', { name: /^Findings of Run the container/ })
    .getByRole('link')
    .first()
    .waitFor();
  expect(await accessibilityIssues(page)).toEqual([]);
  await takeShot(page, 'fix-groups');
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await accessibilityIssues(page, 'colours')).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await takeShot(page, 'fix-groups-390');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
  await groups.getByRole('checkbox', { name: /^Select the findings of Run the container/ }).click();
  await page.getByText('50 selected').waitFor();
  await page
    .getByRole('toolbar', { name: 'Selected findings' })
    .getByRole('button', { name: 'Fix', exact: true })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Fix 50 findings' });
  await dialog.getByRole('list', { name: 'Repositories' }).getByText('50 findings').waitFor();
  await dialog.getByText('One pull request from breakwater/fixes-').waitFor();
  await takeShot(page, 'fix-bulk-together');
  await dialog.getByText('Generate the fixes, to be looked at first').click();
  expect(await accessibilityIssues(page)).toEqual([]);
  await takeShot(page, 'fix-bulk');
  await dialog.getByRole('button', { name: 'Generate', exact: true }).click();
  await page.getByText(/\d+ of 50 done/).waitFor();
  await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
  await takeShot(page, 'fix-bulk-progress');
  await page.getByText('48 done, 2 refused').waitFor();
  await page.getByRole('button', { name: 'Show why' }).click();
  const refused = page.getByRole('dialog', { name: '2 refused' }).getByRole('listitem');
  await eventually(() => refused.filter({ hasText: 'is not in the repository' }).count()).toBe(2);
  await eventually(() => refused.getByRole('link').count()).toBe(2);
  await takeShot(page, 'fix-bulk-refused');
  visitor.assertCalm();
});

/** Answers like the receiver of tickets that it is told to be. */
const startReceiver = async () => {
  const seen: string[] = [];
  const receiver = { isDown: false, delivered: seen };
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      if (!receiver.isDown && request.headers['x-breakwater-event'] === 'remediation.ticket')
        seen.push(String(request.headers['webhook-id']));
      response.writeHead(receiver.isDown ? 503 : 201).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { receiver, url: `http://127.0.0.1:${port}/tickets`, close: () => server.close() };
};

test('a ticket whose receiver is down arrives once, when it is up again', async () => {
  const { receiver, url, close } = await startReceiver();
  try {
    const saved = await api.call('PUT', '/client', {
      issue_webhook: { url, mapping: { summary: '{{finding.title}}', id: '{{remediation.id}}' } },
    });
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    receiver.isDown = true;
    const { body } = await api.get('/findings?filters[file]=service-2/Dockerfile');
    await api.call('POST', `/remediation/${body.data[0]._id}`);
    await page.goto(`/findings/${body.data[0]._id}/fix`);
    await page.getByRole('button', { name: 'Preview ticket' }).click();
    const preview = page.getByRole('dialog', { name: 'Preview for Ticket webhook' });
    await preview.getByText('Container runs as root').waitFor();
    await lookAt(page, 'ticket-preview');
    await preview.getByRole('button', { name: 'Send ticket' }).click();
    await page.getByText(/It is sent again by itself/).waitFor();
    receiver.isDown = false;
    const due = `update ticket_deliveries set next_at = now() where status = 'pending'`;
    await installation.database.query(due);
    const stateOf = async () => (await installation.database.query('select status from ticket_deliveries'))[0];
    await eventually(async () => (await stateOf())?.['status']).toBe('delivered');
    expect(receiver.delivered).toHaveLength(1);
    await page.getByRole('button', { name: 'Send ticket' }).click();
    await page.getByText('Successfully send webhook').first().waitFor();
    expect(receiver.delivered).toHaveLength(1);
  } finally {
    close();
  }
  visitor.assertCalm();
});

/** A model that answers once it is let go. */
const startModel = async () => {
  const key = 'model-key-made-for-tests-only';
  const edit = {
    file: CODE_FILE,
    search: UNSAFE,
    replace: UNSAFE.replace('req.params.file', 'path.basename(req.params.file)'),
  };
  const text = JSON.stringify({ summary: 'Take the name alone.', explanation: 'No way up is left.', edits: [edit] });
  const gate = Promise.withResolvers<void>();
  const answer = fakeOpenai({ key, model: 'gpt-4.1', isChatModel: true, pieces: [text], lineEnd: '\n' });
  const service = await startTestService(async (request) => {
    if (request.path.endsWith('/chat/completions')) await gate.promise;
    return answer(request);
  });
  const remediator = {
    ...{ type: 'openai', api_key: key, deployment_name: 'gpt-4.1', version: 'v1', base_url: service.url.origin },
    ...{ input_price: 2, output_price: 8 },
  };
  return { service, remediator, letGo: () => gate.resolve() };
};

test('a model writes the fix of a finding in code: asked, waited for, looked at and on the patch screen', async () => {
  const { service, remediator, letGo } = await startModel();
  try {
    const saved = await api.call('POST', '/client/openai', { remediator });
    expect(saved.body.data.remediator.state, JSON.stringify(saved.body)).toBe('connected');
    await page.goto('/findings');
    await listRows(page).getByRole('link', { name: TRAVERSAL.title }).click();
    const panel = findingPanel(page);
    await panel.getByRole('tab', { name: 'Fix' }).click();
    await panel.getByRole('button', { name: 'Ask AI' }).click();
    await panel.getByText('gpt-4.1 is asked for the fix.').waitFor();
    await panel.getByRole('button', { name: 'Cancel' }).waitFor();
    expect(await accessibilityIssues(page)).toEqual([]);
    await takeShot(page, 'fix-ai-asked');
    letGo();
    await panel.getByText('path.basename(req.params.file)').waitFor();
    await panel.getByText(/9 tokens read, 12 tokens written · \$0.0001/).waitFor();
    await takeShot(page, 'fix-ai');
    await panel.getByRole('link', { name: 'Review and edit the patch' }).click();
    await page.getByLabel(`${CODE_FILE} after the patch`).waitFor();
    await page.goto('/settings/ai');
    await page.getByText('1 of 200 uses that the plan allows').waitFor();
    await page.getByLabel('Endpoint').waitFor();
    expect(await accessibilityIssues(page)).toEqual([]);
    await takeShot(page, 'settings-ai');
  } finally {
    letGo();
    await service.close();
  }
  visitor.assertCalm();
});

/** A model that takes every file that it is asked about for a false positive. */
const startJudge = async () => {
  const key = 'model-key-made-for-tests-only';
  const reply = (messages: readonly string[]) => {
    const file = /^File: (.*)$/m.exec(messages[1] ?? '')?.[1];
    const reasons = [{ file, line: 3, end_line: 5, text: 'Only an admin reaches this route.' }];
    return { text: JSON.stringify({ verdict: 'false_positive', confidence: 85, reasons }) };
  };
  const answer = fakeOpenai({ key, model: 'gpt-4.1', isChatModel: true, pieces: [], lineEnd: '\n', reply });
  const service = await startTestService(answer);
  const validation = {
    ...{ openai_type: 'openai', openai_api_key: key, openai_deployment_name: 'gpt-4.1', openai_version: 'v1' },
    ...{ openai_base_url: service.url.origin, openai_input_price: 2, openai_output_price: 8 },
  };
  return { service, validation };
};

test('AI proposes that a finding is a false positive, with reasons; a person decides, and many are asked about at once', async () => {
  const { service, validation } = await startJudge();
  try {
    const saved = await api.call('POST', '/client/openai', { validation });
    expect(saved.body.data?.validation.state, JSON.stringify(saved.body)).toBe('connected');
    const switched = await api.call('PUT', '/client', { enable_false_positive_analysis: true });
    expect(switched.status, JSON.stringify(switched.body)).toBe(200);
    await page.goto('/findings');
    await listRows(page).getByRole('link', { name: TRAVERSAL.title }).click();
    const panel = findingPanel(page).getByRole('region', { name: 'AI assessment' });
    await panel.getByRole('button', { name: 'Ask AI whether it is a false positive' }).click();
    await panel.getByText('Only an admin reaches this route.').waitFor();
    await panel.scrollIntoViewIfNeeded();
    await lookAt(page, 'assessment');
    const verdict = async () => {
      const { body } = await api.get(`/findings?filters[file]=${CODE_FILE}`);
      return body.data[0].attributes.verdict;
    };
    expect(await verdict()).toBe('none');
    await panel.getByRole('button', { name: 'Accept as false positive…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/Only an admin reaches this route/).waitFor();
    await takeShot(page, 'assessment-accept');
    await page.keyboard.press('Escape');
    expect(await verdict()).toBe('none');
    await page.goto('/findings');
    await page.getByRole('checkbox', { name: `Select ${TRAVERSAL.title}` }).click();
    await page.getByRole('toolbar', { name: 'Selected findings' }).getByRole('button', { name: 'Ask AI' }).click();
    await page.getByRole('dialog', { name: /^Ask AI about/ }).waitFor();
    await lookAt(page, 'assessment-bulk');
    await page.getByRole('dialog').getByRole('button', { name: 'Ask AI' }).click();
    await page
      .getByText(/\d+ (looked at by the model|refused)/)
      .first()
      .waitFor();
    await takeShot(page, 'assessment-bulk-done');
  } finally {
    await service.close();
  }
  visitor.assertCalm();
});

test('a setting at the provider is changed in the browser, once what becomes of it was shown and confirmed', async () => {
  const [repository] = await installation.database.query("select id from repositories where nickname = 'shop'");
  const id = String(repository?.['id']);
  const asked = await api.call('POST', '/request_repo_scan', { scan_type: 'posture', repositories: [id] });
  const [request] = asked.body.data.scan_requests;
  await eventually(async () => (await api.get(`/scan_requests/${request}`)).body.data.attributes.status).toBe('done');
  const { body } = await api.get(`/repositories/${id}/posture`);
  const check = body.data.checks.find((one: { check: string }) => one.check === 'required-reviews');
  await page.goto(`/findings/finding-details/${check.finding_id}`);
  await findingPanel(page).getByRole('tab', { name: 'Fix' }).click();
  await findingPanel(page).getByRole('button', { name: 'Generate fix' }).click();
  await findingPanel(page).getByText('Protection of "main"').waitFor();
  await lookAt(page, 'fix-settings');
  expect(provider().protection).toBeNull();
  await findingPanel(page).getByRole('button', { name: 'Change settings…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Change 3 settings of shop/ });
  await dialog.waitFor();
  await lookAt(page, 'fix-settings-dialog');
  await dialog.getByRole('button', { name: 'Change settings', exact: true }).click();
  await findingPanel(page).getByText('Settings changed').first().waitFor();
  expect(provider().protection).toMatchObject({ required_approvals: 1 });
  visitor.assertCalm();
});
