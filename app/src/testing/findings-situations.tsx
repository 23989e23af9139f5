import { type Answer, answer, listOf } from '@breakwater/core/testing/browser/fake-http.ts';
import { SHOWN_FINDING } from '@breakwater/core/testing/browser/shown-finding.ts';
import { shownFix } from '@breakwater/core/testing/browser/shown-fix.ts';
import { SHOWN_VIEW as VIEW } from '@breakwater/core/testing/browser/shown-view.ts';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { vi } from 'vitest';
import { click, type Way } from './ways.ts';
import { openApp } from './whole-app.tsx';

const { _id: ID, row, detail } = SHOWN_FINDING;
const AT_FINDING = `/findings/finding-details/${ID}`;

const FINDINGS: Record<string, Answer> = {
  'GET /findings': () => listOf([{ _id: ID, attributes: row }]),
  'GET /findings-columns/selected': () => ({ data: { default: [], selected: [], available: [] } }),
  [`GET /findings/${ID}`]: () => ({ data: { _id: ID, attributes: detail } }),
  [`GET /findings/${ID}/history`]: () => ({ data: [] }),
  'GET /findings-filter/selected': () => ({ data: [VIEW], meta: { use_saved_filter: false } }),
};

const onFindings = (answers: Record<string, Answer> = {}, at = '/findings') =>
  openApp(at, { answers: { ...FINDINGS, ...answers } });

const copyTheId = async (writeText: (() => Promise<void>) | undefined) => {
  const app = onFindings({}, AT_FINDING);
  const button = await screen.findByRole('button', { name: 'Copy the id' });
  const clipboard = writeText === undefined ? undefined : { writeText };
  vi.stubGlobal(
    'navigator',
    new Proxy(navigator, { get: (own, key) => (key === 'clipboard' ? clipboard : Reflect.get(own, key)) }),
  );
  await userEvent.click(button);
  return app;
};

const sendTicket = async (result: Answer) => {
  const app = onFindings(
    {
      [`GET /findings/${ID}/remediation`]: () => ({ data: shownFix() }),
      'GET /tickets/targets': () => ({ data: [] }),
      'POST /webhook/send_ticket': result,
    },
    AT_FINDING,
  );
  await click('Fix', 'tab');
  await click('Send ticket');
  return app;
};

/** Situations of the list and of one finding. */
export const FINDINGS_SITUATIONS: Record<string, readonly Way[]> = {
  'Finding with empty attributes': [
    {
      shows: ['Page not found', 'Finding data not found'],
      reach: () => onFindings({ [`GET /findings/${ID}`]: () => ({ data: { _id: ID, attributes: {} } }) }, AT_FINDING),
    },
    {
      shows: ['Error Status: 500', 'An unexpected error occurred.'],
      reach: () => onFindings({ [`GET /findings/${ID}`]: () => answer(500, {}) }, AT_FINDING),
    },
    {
      shows: ['Error Status: 503', 'The database is busy.'],
      reach: () =>
        onFindings(
          { [`GET /findings/${ID}`]: () => answer(503, { detail: 'The database is busy.', code: 'unavailable' }) },
          AT_FINDING,
        ),
    },
  ],
  Clipboard: [
    { shows: ['Clipboard API not supported'], reach: () => copyTheId(undefined) },
    { shows: ['Text copied to clipboard'], reach: () => copyTheId(async () => undefined) },
    {
      shows: ['Failed to copy text: Document is not focused.'],
      reach: () => copyTheId(() => Promise.reject(new Error('Document is not focused.'))),
    },
  ],
  'Filter success notices': [
    {
      shows: ['Success activate filter findings!'],
      reach: async () => {
        const message = 'Success activate filter findings!';
        const app = onFindings({
          'POST /findings-filter/activate': () => ({ success: true, data: VIEW, message }),
          'PUT /findings-filter/use': () => ({ success: true, data: { use_saved_filter: true } }),
        });
        await click('Views');
        await userEvent.click(
          within(await screen.findByRole('list', { name: 'Saved views' })).getByRole('button', { name: 'Mine' }),
        );
        return app;
      },
    },
    {
      shows: ['Success update filter findings!'],
      reach: async () => {
        const message = 'Success update filter findings!';
        const app = onFindings(
          {
            'GET /findings-filter/selected': () => ({
              data: [{ ...VIEW, active: true }],
              meta: { use_saved_filter: true },
            }),
            'PUT /findings-filter/Mine/update-activate': () => ({ success: true, data: VIEW, message }),
          },
          '/findings?severity=low',
        );
        await click('Update view');
        return app;
      },
    },
    {
      shows: ['Success remove filter findings!'],
      reach: async () => {
        const message = 'Success remove filter findings!';
        const app = onFindings({ 'DELETE /findings-filter/delete': () => ({ success: true, message }) });
        await click('Views');
        await click('Delete the view Mine');
        return app;
      },
    },
  ],
  'Report download failure': [
    {
      shows: ['Failed to download file'],
      reach: async () => {
        const app = onFindings();
        await click('Export');
        await click(/^CSV/, 'menuitem');
        return app;
      },
    },
  ],
  'Webhook send': [
    {
      shows: ['Send webhook failed', 'No response was received from webhook'],
      reach: () =>
        sendTicket(() => ({
          success: false,
          data: {
            ...{ delivery_id: 'd', status: 'pending', status_code: null, body: null },
            ...{ title: 'Send webhook failed', description: 'No response was received from webhook' },
          },
        })),
    },
    {
      shows: ['Successfully send webhook'],
      reach: () => sendTicket(() => ({ success: true, data: { title: 'Successfully send webhook' } })),
    },
  ],
};
