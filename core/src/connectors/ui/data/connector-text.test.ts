import { describe, expect, it } from 'vitest';
import { formatMoment } from '../../../platform/ui/display/formats.ts';
import { connectedGitea, failedWith, giteaCard, reportCard } from '../../../testing/browser/connector-cards.ts';
import { countsLine, eventWords, gateText, noteOf } from './connector-text.ts';

describe('what happened last', () => {
  it('names what is missing', () => {
    expect(noteOf(giteaCard().attributes)).toBe('Needs access token and domain.');
    expect(noteOf(giteaCard({ commercial: true }).attributes)).toBe('Needs your own licence, access token and domain.');
  });

  it('names who was checked and when findings came', () => {
    const at = new Date().toISOString();
    expect(noteOf(connectedGitea().attributes)).toBe('Checked just now as harbour-labs.');
    expect(noteOf(connectedGitea({ last_sync: at }).attributes)).toBe(
      'Checked just now as harbour-labs. Findings pulled just now.',
    );
  });

  it('shows the failure and when it is tried again', () => {
    const later = new Date(2026, 10, 21, 14, 5);
    expect(formatMoment(later.toISOString(), new Date(2026, 10, 21, 9))).toBe('14:05');
    const retry_at = new Date(Date.now() + 1000).toISOString();
    const detail = { ...failedWith('unreachable', 'Gitea did not answer'), retry_at };
    expect(noteOf(giteaCard({ state: 'retrying', state_detail: detail }).attributes)).toMatch(
      /^Gitea did not answer\. Retries at \d\d:\d\d\.$/,
    );
  });

  it('says who closed a switch and why', () => {
    const gate = {
      state: 'disabledByOrganisation',
      by: 'lead',
      at: new Date().toISOString(),
      reason: 'Audit',
    } as const;
    const text = gateText(giteaCard({ gate }).attributes);
    expect(text).toBe('Switched off by lead just now. Audit. Its settings are kept; nothing runs.');
    expect(gateText(giteaCard({ gate: { ...gate, state: 'disabledByPlatform' } }).attributes)).toContain(
      'for every organisation',
    );
  });

  it('knows an event of the history, and shows one that it does not know as it is', () => {
    expect(eventWords('OK')).toBe('Check passed');
    expect(eventWords('NEW_EVENT')).toBe('NEW_EVENT');
  });
});

it('counts what can be connected apart from what takes reports', () => {
  const troubled = giteaCard({ state: 'failed', state_detail: failedWith('unsupported', 'Too old.') });
  expect(countsLine([connectedGitea(), troubled, reportCard()])).toBe(
    '1 of 2 connected, 1 takes reports, 1 needs attention',
  );
  expect(countsLine([reportCard(), reportCard()])).toBe('2 take reports');
  expect(countsLine([giteaCard({ disabled: 'Not available yet.' })])).toBe('1 disabled');
});
