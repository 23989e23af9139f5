import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { answer, fakeHttp, listOf } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { FindingDetailStore } from '../data/finding-detail.store.ts';
import { FindingsStore } from '../data/findings.store.ts';
import { OWN_LISTS } from '../data/list-route.ts';
import { FindingsListContext } from '../triage/findings-context.ts';
import { findingIdIn } from '../triage/join-dialog.tsx';
import { TriageDialogs } from '../triage/triage-dialogs.tsx';
import { useTriage } from '../triage/use-triage.ts';
import { OtherResults } from './other-results.tsx';

const ID = '0191c2e0-7b1a-7000-8000-000000000001';
const OTHER = '0191c2e0-7b1a-7000-8000-000000000002';
const one = { title: 'Secret in code', rule_id: 'secret', cve: null, tool: 'trivy', file_path: 'a.ts', start_line: 4 };

const Shown = observer(function Shown() {
  const api = useService(API);
  const [detail] = useState(() => new FindingDetailStore(api));
  const [store] = useState(() => new FindingsStore(api));
  const decisions = useTriage(store);
  useEffect(() => void detail.load(ID), [detail]);
  return (
    <FindingsListContext
      value={{ store, route: OWN_LISTS.open, listHref: '/', hrefOf: (id) => `/${id}`, ...decisions }}
    >
      {detail.detail !== undefined && <OtherResults id={ID} finding={detail.detail} detail={detail} />}
      <TriageDialogs />
    </FindingsListContext>
  );
});

const open = (overrides: Parameters<typeof fakeHttp>[0] = {}, role: 'admin' | 'developer' = 'admin') => {
  const occurrences = [
    { ...one, _id: OTHER, relation: 'original', certainty: 'likely', reasons: ['place'], reason: 'Same file and line' },
    { ...one, _id: ID, title: 'A part of it', relation: 'subfinding', certainty: null, reasons: [], reason: null },
  ];
  const http = fakeHttp({
    'GET /findings': () => listOf([], 0),
    [`GET /findings/${ID}`]: () => ({ data: { _id: ID, attributes: { occurrences } } }),
    [`GET /findings/${ID}/history`]: () => ({ data: [] }),
    ...overrides,
  });
  renderPage({ api: http.api, at: '/', role, routes: [{ path: '/', element: <Shown /> }] });
  return http;
};
const sent = ({ calls }: ReturnType<typeof fakeHttp>, method: string) => calls.filter((call) => call.method === method);

afterEach(cleanup);

describe('other results that say the same', () => {
  it('say how sure that is, and why; only a duplicate can be split', async () => {
    open();
    expect(await screen.findByText('Same file and line')).toBeDefined();
    expect(await screen.findByText(/Original \(likely the same\)/)).toBeDefined();
    expect(screen.getAllByRole('button', { name: /^Not the same/ })).toHaveLength(1);
  });

  it('are split with a reason: of an original and its duplicate the duplicate leaves', async () => {
    const http = open({ [`POST /findings/${ID}/split`]: () => ({ data: { _id: ID, attributes: {} } }) });
    await userEvent.click(await screen.findByRole('button', { name: 'Not the same: Secret in code' }));
    await userEvent.type(await screen.findByLabelText('Reason'), 'Another key');
    await userEvent.click(screen.getByRole('button', { name: 'Not a duplicate' }));
    await waitFor(() => expect(sent(http, 'POST')[0]?.body).toEqual({ reason: 'Another key' }));
  });

  it('are joined by the address of the other finding; a wrong one is reported at its field', async () => {
    const http = open({ [`POST /findings/${ID}/join`]: () => ({ data: { _id: ID, attributes: {} } }) });
    await userEvent.click(await screen.findByRole('button', { name: 'Same as another finding' }));
    const field = await screen.findByLabelText('Address of the other finding');
    await userEvent.type(field, 'that one');
    await userEvent.click(screen.getByRole('button', { name: 'Same finding' }));
    expect(await screen.findByText(/This names no finding/)).toBeDefined();
    await userEvent.clear(field);
    await userEvent.type(field, ID);
    await userEvent.click(screen.getByRole('button', { name: 'Same finding' }));
    expect(await screen.findByText(/This is the finding itself/)).toBeDefined();
    expect(sent(http, 'POST')).toEqual([]);
    await userEvent.clear(field);
    await userEvent.type(field, `https://host/findings/finding-details/${OTHER}?severity=high`);
    await userEvent.click(screen.getByRole('button', { name: 'Same finding' }));
    await waitFor(() => expect(sent(http, 'POST')[0]?.body).toEqual({ with: OTHER }));
  });

  it('a split can be taken back from here, also much later', async () => {
    const event = { kind: 'split', at: '2026-11-20T10:00:00Z', actor: 'ann', scan_id: null, from: null, to: 'split' };
    const http = open({
      [`GET /findings/${ID}/history`]: () => ({ data: [{ _id: ID, attributes: { ...event, reason: null } }] }),
      [`DELETE /findings/${ID}/split`]: () => answer(200, { data: { _id: ID, attributes: {} } }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Take split back' }));
    await waitFor(() => expect(sent(http, 'DELETE')).toHaveLength(1));
  });

  it('a developer sees who decides', async () => {
    open({}, 'developer');
    expect(await screen.findByText('An admin or security operator decides what is the same.')).toBeDefined();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('an id is found in an address, alone, and nowhere else', () => {
    expect(findingIdIn(` ${OTHER.toUpperCase()} `)).toBe(OTHER);
    expect(findingIdIn(`/repositories/${ID}/findings/${OTHER}`)).toBe(OTHER);
    expect(findingIdIn('42')).toBeUndefined();
  });
});
