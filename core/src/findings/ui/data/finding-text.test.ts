import { describe, expect, it } from 'vitest';
import { locationOf, shortPath, titleOf } from '../../model/finding-text.ts';
import { stateOf } from './finding-text.ts';

const located = { file_path: null, start_line: null, cve: null, component: null, component_version: null };

describe('what a row says', () => {
  it('drops the CVE from the title that stands below it', () => {
    expect(titleOf({ title: 'CVE-2023-44487: rapid reset', rule_id: 'x', cve: 'CVE-2023-44487' })).toBe('rapid reset');
    expect(titleOf({ title: 'CVE-2023-44487', rule_id: 'CVE-2023-44487', cve: 'CVE-2023-44487' })).toBe(
      'CVE-2023-44487',
    );
  });

  it('turns a bare rule id into words', () => {
    const rule = 'javascript.express.security.audit.express-open-redirect';
    expect(titleOf({ title: rule, rule_id: rule, cve: null })).toBe('Express open redirect');
    expect(titleOf({ title: 'Use of eval()', rule_id: rule, cve: null })).toBe('Use of eval()');
    const malware = 'Win.Test.EICAR_HDB-1.UNOFFICIAL';
    expect(titleOf({ title: malware, rule_id: malware, cve: null })).toBe(malware);
  });

  it('names the package of a vulnerability, else the place in the code', () => {
    expect(locationOf({ ...located, cve: 'CVE-1', component: 'stdlib', component_version: '1.20' })).toBe(
      'CVE-1 · stdlib 1.20',
    );
    expect(locationOf({ ...located, file_path: 'routes/login.ts', start_line: 36 })).toBe('routes/login.ts:36');
    expect(locationOf({ ...located, resource: 'arn:aws:s3:::logs' })).toBe('arn:aws:s3:::logs');
    expect(locationOf(located)).toBe('');
  });

  it('cuts a path in the middle and keeps the name of the file', () => {
    const path = 'frontend/src/app/very/deep/folder/structure/with/many/parts/last-login-ip.component.ts';
    const short = shortPath(path, 56);
    expect(short).toHaveLength(56);
    expect(short.startsWith('frontend/')).toBe(true);
    expect(short.endsWith('/last-login-ip.component.ts')).toBe(true);
    expect(shortPath('a.ts')).toBe('a.ts');
  });

  it('puts a verdict before the work status', () => {
    const base = { status: 'enriched', verdict: 'none', false_positive: false, is_duplicate: false } as const;
    expect(stateOf(base)).toEqual({ tone: 'accent', word: 'Open' });
    expect(stateOf({ ...base, status: 'mitigated' })).toEqual({ tone: 'ok', word: 'Fixed' });
    expect(stateOf({ ...base, status: 'reopened' })).toEqual({ tone: 'warn', word: 'Open' });
    expect(stateOf({ ...base, false_positive: true, verdict: 'false_positive' }).word).toBe('False positive');
    expect(stateOf({ ...base, is_duplicate: true }).word).toBe('Duplicate');
  });
});
