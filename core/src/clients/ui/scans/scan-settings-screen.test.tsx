import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { type Answer, answer, fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { ScanSettingsScreen } from './scan-settings-screen.tsx';

afterEach(cleanup);

const signed = (document: object): string => `h.${btoa(JSON.stringify(document))}.signature`;
const DETAIL = {
  schedule_scan: 'weekly',
  autonomous_scan: false,
  pipeline_integration: true,
  excluded_tools: ['trivy', 'zap'],
};
const open = async (role: 'admin' | 'cyberoper', save: Answer = () => ({ success: true })) => {
  const { api, calls } = fakeHttp({ 'GET /client': () => ({ data: signed(DETAIL) }), 'PUT /client': save });
  renderPage({ api, at: '/', role, routes: [{ path: '/', element: <ScanSettingsScreen /> }] });
  const schedule = await screen.findByLabelText<HTMLSelectElement>('Schedule');
  return { schedule, changes: () => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body) };
};

test('shows what is stored, and sends what was changed; excluded tools are one name a line, each once', async () => {
  const { schedule, changes } = await open('admin');
  const tools = screen.getByLabelText<HTMLTextAreaElement>('Excluded tools');
  expect([schedule.value, tools.value]).toEqual(['weekly', 'trivy\nzap']);
  await userEvent.selectOptions(schedule, 'Every month');
  await userEvent.click(screen.getByLabelText('Scan when code is pushed or a pull request is opened'));
  await userEvent.type(tools, '{enter}  semgrep {enter}{enter}trivy');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved.')).toBeDefined();
  expect(changes()).toEqual([
    {
      schedule_scan: 'monthly',
      autonomous_scan: true,
      pipeline_integration: true,
      excluded_tools: ['trivy', 'zap', 'semgrep'],
    },
  ]);
  expect(tools.value).toBe('trivy\nzap\nsemgrep');
});

test('what the server refuses is said, and what was typed stays', async () => {
  const { schedule } = await open('admin', () => answer(409, { detail: 'Somebody else saved.', code: 'conflict' }));
  await userEvent.selectOptions(schedule, 'Only when somebody asks');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Somebody else saved.');
  await waitFor(() => expect(schedule.value).toBe('none'));
});

test('who may only read sees it all and changes nothing', async () => {
  const { schedule } = await open('cyberoper');
  expect(schedule.disabled).toBe(true);
  expect(screen.getByText('An admin can change it.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});
