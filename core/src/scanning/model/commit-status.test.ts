import { describe, expect, it } from 'vitest';
import { codeSpan, commentText, isFailing, type NewFinding, statusText } from './commit-status.ts';

const counts = (change: object = {}) => ({ critical: 0, high: 0, medium: 0, low: 0, informational: 0, ...change });
const finding = (change: Partial<NewFinding> = {}): NewFinding => ({
  ...{ severity: 'high', title: 'SQL injection', path: 'src/a.ts', line: 3, url: 'https://b.example/findings/1' },
  ...change,
});

describe('the check', () => {
  it.each([
    [counts(), false, 'No new findings.'],
    [counts({ medium: 1 }), false, '1 new finding: 1 medium. None is critical or high.'],
    [counts({ high: 1, low: 2 }), true, '3 new findings: 1 high, 2 low. Fails on critical and high.'],
    [counts({ critical: 1 }), true, '1 new finding: 1 critical. Fails on critical and high.'],
  ])('of %j: fails %s', (given, fails, text) => {
    expect(isFailing(given)).toBe(fails);
    expect(statusText(given, 0)).toBe(text);
    expect(statusText(given, 2)).toBe(`${text} 2 scans failed.`);
  });
});

describe('text of reports in a comment', () => {
  it.each([
    ['plain', '`plain`'],
    ['a``b', "`a''b`"],
    ['a|b', '`a¦b`'],
    ['ends with \\', '`ends with /`'],
    ['two\nlines\r\n| of | it', '`two lines ¦ of ¦ it`'],
    ['\u202E\u200B\u0007', '–'],
    ['', '–'],
    ['\uD800', '`\uFFFD`'],
  ])('%j', (text, span) => expect(codeSpan(text)).toBe(span));

  it('is cut, by whole characters', () => {
    expect(codeSpan('😀'.repeat(500))).toBe(`\`${'😀'.repeat(119)}…\``);
  });
});

describe('the comment', () => {
  const facts = { commit: 'a'.repeat(40), url: 'https://b.example/findings?repository=1' };

  it('names at most 20 findings, how many more there are, and the list of all', () => {
    const rows = Array.from({ length: 30 }, () => finding());
    const text = commentText({ ...facts, counts: counts({ high: 45 }), rows });
    expect(text.split('\n').filter((line) => line.startsWith('| High'))).toHaveLength(20);
    expect(text).toContain('And 25 more.');
    expect(text).toContain(`[Show the list](${facts.url})`);
    expect(text).toContain('fails on new findings of critical or high severity');
  });

  it('has no links where the server has no public address', () => {
    const rows = [finding({ url: undefined, path: null })];
    const text = commentText({ ...facts, url: undefined, counts: counts({ high: 1 }), rows });
    expect(text).toContain('| High | `SQL injection` | – |');
    expect(text).not.toContain('](');
  });

  it('says that there is nothing new', () => {
    expect(commentText({ ...facts, counts: counts(), rows: [] })).toMatch(/^### Breakwater: no new findings\n/);
  });
});
