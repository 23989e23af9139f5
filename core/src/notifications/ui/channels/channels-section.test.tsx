import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import type { Role } from '../../../platform/model/permissions.ts';
import { answer, fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import type { NotificationChannel } from './channels.store.ts';
import { ChannelsSection } from './channels-section.tsx';

const channel = (change: Partial<NotificationChannel> = {}): NotificationChannel => ({
  ...{ connector_id: 'slack', title: 'Slack', address: 'webhook/slack', name: '#security', is_configured: true },
  ...{ problem: null, notification_types: ['critical_found'], min_severity: null },
  failed: { count: 0, reason: null },
  ...change,
});
const TEAMS = channel({
  ...{ connector_id: 'microsoft-teams', title: 'Microsoft Teams', address: 'webhook/microsoftteams', name: null },
  ...{ is_configured: false, problem: 'Microsoft Teams is not connected yet.', notification_types: [] },
});

const open = (http: ReturnType<typeof fakeHttp>, role: Role = 'admin') => ({
  ...renderPage({ api: http.api, at: '/', role, routes: [{ path: '/', element: <ChannelsSection /> }] }),
  calls: http.calls,
});
afterEach(cleanup);

it('saves each choice at once, and takes it back where the server refuses', async () => {
  let isAway = false;
  const http = fakeHttp({
    'GET /client/notification-channels': () => ({ data: [channel(), TEAMS] }),
    'PUT /client/notification-channels/slack': () =>
      isAway ? answer(503, { detail: 'Away.', code: 'unavailable' }) : { success: true },
  });
  const { calls, toasts } = open(http);
  const slack = within(await screen.findByRole('region', { name: 'Slack' }));
  expect(slack.getByText('#security')).toBeTruthy();
  await userEvent.click(slack.getByLabelText('Due date near'));
  await waitFor(() => expect(calls.at(-1)?.body).toEqual({ notification_types: ['critical_found', 'sla_due'] }));
  await userEvent.selectOptions(slack.getByLabelText('Least severity: Slack'), 'high');
  await waitFor(() => expect(calls.at(-1)?.body).toEqual({ min_severity: 'high' }));
  isAway = true;
  const critical = slack.getByLabelText<HTMLInputElement>('Critical finding');
  await userEvent.click(critical);
  await waitFor(() => expect(toasts.toasts.length).toBeGreaterThan(0));
  expect(critical.checked).toBe(true);
});

it('sends a test message, and leads to the card where nothing is connected', async () => {
  const http = fakeHttp({
    'GET /client/notification-channels': () => ({ data: [channel(), TEAMS] }),
    'POST /client/notification-channels/slack/test': () => ({ success: true }),
  });
  const { toasts } = open(http);
  await userEvent.click(await screen.findByRole('button', { name: 'Send a test: Slack' }));
  await waitFor(() => expect(toasts.toasts[0]?.message).toBe('The test message was sent'));
  const teams = within(screen.getByRole('region', { name: 'Microsoft Teams' }));
  expect(teams.getByRole('link').getAttribute('href')).toBe('/connector/providers?open=webhook%2Fmicrosoftteams');
  expect(teams.queryByRole('checkbox')).toBeNull();
});

it('says what was not sent and why, and sends it again', async () => {
  let failed: NotificationChannel['failed'] = { count: 2, reason: 'Slack: The channel of the webhook is archived.' };
  const http = fakeHttp({
    'GET /client/notification-channels': () => ({ data: [channel({ failed })] }),
    'POST /client/notification-channels/slack/resend': () => {
      failed = { count: 0, reason: null };
      return { success: true, data: { queued: 2 } };
    },
  });
  open(http);
  await screen.findByText(/2 messages were not sent\. Slack: The channel/);
  await userEvent.click(screen.getByRole('button', { name: 'Send again: Slack' }));
  await waitFor(() => expect(screen.queryByText(/were not sent/)).toBeNull());
});

it('is shown to security operators, who change nothing, and not to developers', async () => {
  const http = () => fakeHttp({ 'GET /client/notification-channels': () => ({ data: [channel()] }) });
  open(http(), 'cyberoper');
  expect((await screen.findByLabelText<HTMLInputElement>('Critical finding')).disabled).toBe(true);
  expect(screen.queryByRole('button', { name: /Send a test/ })).toBeNull();
  cleanup();
  const { calls } = open(http(), 'developer');
  expect(screen.queryByText('Channels of the organisation')).toBeNull();
  expect(calls).toEqual([]);
});

it('says what stands in the way', async () => {
  const problem = 'Slack knows this webhook no more.';
  open(fakeHttp({ 'GET /client/notification-channels': () => ({ data: [channel({ problem })] }) }));
  await screen.findByText(problem);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send a test: Slack' }).disabled).toBe(true);
});
