import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import type { Role } from '../../../platform/model/permissions.ts';
import { fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { RepositoryPosture } from './repository-posture.tsx';

const ID = '0191c2e0-7b1a-7000-8000-000000000001';
const FINDING = '0191c2e0-7b1a-7000-8000-000000000002';

const check = (name: string, label: string, extra: object) => ({
  ...{ check: name, label, title: `${label} is wrong`, mitigation: 'Change it.', severity: 'high', branch: null },
  ...{ url: null, finding_id: null, detail: 'As it is.', state: 'ok', ...extra },
});

const open = (
  posture: object,
  role: Role = 'admin',
  requestReading: (api: unknown, id: string) => Promise<void> = async () => undefined,
) => {
  const data = { is_available: true, problem: null, read_at: null, checks: [], ...posture };
  const http = fakeHttp({ [`GET /repositories/${ID}/posture`]: () => ({ data }) });
  const routes = [{ path: '/', element: <RepositoryPosture repositoryId={ID} requestReading={requestReading} /> }];
  return { ...renderPage({ api: http.api, at: '/', role, routes }), calls: http.calls };
};

afterEach(cleanup);

it('shows each setting with its state and reason, and the way to finding and provider', async () => {
  open({
    read_at: '2026-11-22T10:00:00Z',
    checks: [
      check('branch-protection', 'Branch protection', {
        ...{ state: 'at-risk', detail: 'Nothing protects "main".', finding_id: FINDING },
        url: 'https://git.example.com/settings/branches',
      }),
      check('force-pushes', 'Force pushes', { detail: 'Refused.' }),
      check('stale-deploy-keys', 'Deploy keys', { state: 'unknown', detail: 'The connection may not see it.' }),
    ],
  });
  const [wrong, right, unknown] = await screen.findAllByRole('listitem');
  if (wrong === undefined || right === undefined || unknown === undefined) throw new Error('three are expected');
  expect(within(wrong).getByText('Wrong')).toBeDefined();
  expect(within(wrong).getByText('Nothing protects "main".')).toBeDefined();
  expect(within(wrong).getByRole('link', { name: 'Finding: Branch protection' }).getAttribute('href')).toBe(
    `/findings/finding-details/${FINDING}`,
  );
  expect(within(wrong).getByRole('link', { name: 'Setting at the provider' }).getAttribute('rel')).toContain(
    'noopener',
  );
  expect(within(right).getByText('Right')).toBeDefined();
  expect(within(right).queryByText('Change it.')).toBeNull();
  expect(within(unknown).getByText('Unknown')).toBeDefined();
  expect(screen.getByRole('link', { name: '1 finding' }).getAttribute('href')).toBe(
    `/findings?tool=posture&repository=${ID}`,
  );
});

it('asks for a reading, and shows why the server refuses', async () => {
  let isRefused = false;
  const asked: string[] = [];
  const { toasts } = open({}, 'admin', async (_api, id) => {
    asked.push(id);
    if (isRefused) throw new Error('refused');
  });
  const button = await screen.findByRole('button', { name: 'Read settings now' });
  await userEvent.click(button);
  const messages = () => toasts.toasts.map(({ message }) => message).join(' ');
  await waitFor(() => expect(messages()).toContain('The settings are being read'));
  expect(asked).toEqual([ID]);
  isRefused = true;
  await userEvent.click(button);
  await waitFor(() => expect(asked).toEqual([ID, ID]));
  await waitFor(() => expect(toasts.toasts.length).toBeGreaterThan(1));
});

it('says why there is nothing to read, and why a reading failed', async () => {
  open({ is_available: false, problem: 'It was added by its address.' });
  expect(await screen.findByText('It was added by its address.')).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
  cleanup();
  open({ problem: 'GitHub: asked too often.' });
  expect(await screen.findByText(/could not be read\. GitHub: asked too often\./)).toBeDefined();
});
