import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { CHANGE_KINDS, type ChangeKind } from '../../model/states.ts';
import { PatchHistory } from './patch-history.tsx';

afterEach(cleanup);

const change = (kind: ChangeKind, at: number, detail: string | null = null) => ({
  ...{ at: new Date(Date.UTC(2026, 10, 24, 12, at)).toISOString(), actor: 'ada', kind, from: null, to: null, detail },
});

test('everything that happens to a fix is told in words', () => {
  render(<PatchHistory changes={CHANGE_KINDS.map((kind, index) => change(kind, index))} />);
  const lines = screen.getAllByRole('listitem').map(({ textContent }) => textContent ?? '');
  expect(lines).toHaveLength(CHANGE_KINDS.length);
  expect(lines.filter((line) => /_|^[a-z]/.test(line))).toEqual([]);
});

test('what changed, and by whom; of tickets which and why', () => {
  const changes = [
    change('ticket_failed', 3, 'SEC-1 was not closed: it asks for "Team"'),
    change('ticket', 2, 'SEC-1: https://jira.example.com/browse/SEC-1'),
    { ...change('ticket_status', 1, 'SEC-1: In Review'), actor: null },
    change('edit', 0, 'code_diff, title'),
  ];
  render(<PatchHistory changes={changes} />);
  expect(screen.getByText('Ticket failed').parentElement?.textContent).toContain('it asks for "Team"');
  expect(screen.getByText('Ticket sent').parentElement?.textContent).toContain('SEC-1');
  expect(screen.getByText('Ticket changed').parentElement?.textContent).toMatch(/Breakwater.*SEC-1: In Review/);
  expect(screen.getByText('Edited: Patch, Title').parentElement?.textContent).toContain('ada');
});
