import { describe, expect, it } from 'vitest';
import { fillTicketTemplate, TICKET_TEMPLATE_PATTERN, TICKET_VALUES } from './ticket-template.ts';

const pattern = new RegExp(TICKET_TEMPLATE_PATTERN, 'u');

describe('templates of tickets', () => {
  it.each([
    '',
    'SEC',
    '{{finding.title}}',
    'a {{ repository.name }}: {{remediation.line}}\n{x} } {',
    'ü→ {{finding.cve}}',
  ])('takes %j', (template) => {
    expect(pattern.test(template)).toBe(true);
  });

  it.each([
    '{{finding.secret}}',
    '{{title}}',
    '{{finding.title',
    '}}',
    '{{',
    '{{constructor}}',
    '{{finding.title}}}}',
    '{{  finding.title}}',
    '{{{finding.title}}}',
  ])('refuses %j', (template) => {
    expect(pattern.test(template)).toBe(false);
  });

  it('answers a long hostile text at once', () => {
    expect(pattern.test(`${'{ '.repeat(200_000)}{{`)).toBe(false);
  });

  it('does not read again what was filled in', () => {
    const values = { ...TICKET_VALUES, 'finding.title': '{{remediation.code_diff}} $& $1' };
    expect(fillTicketTemplate('{{finding.title}}!', values)).toBe('{{remediation.code_diff}} $& $1!');
  });
});
