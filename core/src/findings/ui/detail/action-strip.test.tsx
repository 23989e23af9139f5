import { cleanup, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Role } from '../../../platform/model/permissions.ts';
import { say } from '../../../platform/model/sentence.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { fakeHttp, listOf } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { SHOWN_FINDING } from '../../../testing/browser/shown-finding.ts';
import type { FindingDetails } from '../data/finding-detail.store.ts';
import { FindingsStore } from '../data/findings.store.ts';
import { OWN_LISTS } from '../data/list-route.ts';
import { FindingsListContext } from '../triage/findings-context.ts';
import { useTriage } from '../triage/use-triage.ts';
import { ActionStrip } from './action-strip.tsx';

afterEach(cleanup);

const { _id: ID, detail } = SHOWN_FINDING;

function Shown({ finding, onFix }: { finding: FindingDetails; onFix: () => void }) {
  const api = useService(API);
  const [store] = useState(() => new FindingsStore(api));
  const decisions = useTriage(store);
  const list = { store, route: OWN_LISTS.open, listHref: '/', hrefOf: (id: string) => `/${id}`, ...decisions };
  return (
    <FindingsListContext value={list}>
      <ActionStrip {...{ id: ID, finding, onFix }} />
    </FindingsListContext>
  );
}

const open = (finding: FindingDetails, fix: object | null, role: Role = 'admin') => {
  let fixes = 0;
  const { api, calls } = fakeHttp({
    'GET /findings': () => listOf([], 0),
    [`GET /findings/${ID}/fix`]: () => ({ data: fix }),
    'GET /users-developer': () => listOf([]),
  });
  const element = <Shown finding={finding} onFix={() => (fixes += 1)} />;
  renderPage({ api, at: '/', role, routes: [{ path: '/', element }] });
  return { calls, fixes: () => fixes };
};

describe('what to do next', () => {
  it('says the fix with what else it closes, until when and why, who, and has one act', async () => {
    const finding = {
      ...{
        ...detail,
        date: '2024-11-26T14:40:45Z',
        first_seen: '2026-11-24T10:00:00Z',
        due_date: '2024-12-03',
        due_from: '2024-11-26',
      },
      issue_owner_name: 'dana',
    };
    const label = 'Upgrade stdlib go1.20 → 1.20.10';
    const said = say('Upgrade {name} {from} → {to}', { name: 'stdlib', from: 'go1.20', to: '1.20.10' });
    const { calls, fixes } = open(finding, { kind: 'upgrade', label, said, closes: 38 });
    expect(await screen.findByText(label)).toBeDefined();
    expect(screen.getByText(', closes 38 findings')).toBeDefined();
    const asked = calls.find(({ path }) => path.endsWith('/fix'));
    expect(asked?.query.get('filters[is_duplicate]')).toBe('hide');
    expect(screen.getByText('High: 7 days from 26 Nov 2024, when the tool reported it')).toBeDefined();
    expect(screen.getByText(/past before the first import here, on 24 Nov/)).toBeDefined();
    expect(screen.getByText('dana')).toBeDefined();
    const acts = screen.getAllByRole('button');
    expect(acts.map((act) => [act.textContent, act.className.includes('bp6-intent-primary')])).toEqual([
      ['Prepare the fix', true],
    ]);
    fireEvent.click(acts[0]!);
    expect(fixes()).toBe(1);
  });

  it('says what the report or our rules advise where no fix is known, and that nobody owns it', async () => {
    const { calls } = open({ ...detail, due_date: null }, null);
    expect(screen.getByText('Use parameters.')).toBeDefined();
    expect([screen.getByText('No due date'), screen.getByText('Nobody')]).toHaveLength(2);
    await screen.findByRole('button', { name: 'Prepare the fix' });
    expect(calls.some(({ path }) => path.endsWith('/fix'))).toBe(true);
    cleanup();
    open({ ...detail, mitigation: null }, null);
    expect(screen.getByText('No fix is known yet')).toBeDefined();
  });
});
