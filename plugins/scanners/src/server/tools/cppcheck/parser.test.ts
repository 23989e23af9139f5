import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { cppcheck } from './parser.ts';

const report = (...errors: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<results version="2">\n<cppcheck version="2.10"/>\n<errors>${errors.join('')}</errors>\n</results>`;
const error = (id: string, severity: string, inner = '') =>
  `<error id="${id}" severity="${severity}" msg="short" verbose="long" cwe="788">${inner}</error>`;
const place = (line: number, file = '/ci/7/shop/src/a.c') =>
  `<location file="${file}" line="${line}" column="2" info="step ${line}"/>`;

describe('Cppcheck', () => {
  test('a result with its way through the code, below the checkout', async () => {
    const { findings } = await parseText(cppcheck, report(error('nullPointer', 'warning', place(9) + place(3))));
    const step = (line: number) => ({ path: 'src/a.c', startLine: line, startColumn: 2, message: `step ${line}` });
    expect(findings).toEqual([
      {
        kind: 'finding',
        ruleId: 'nullPointer',
        title: 'short',
        type: 'SAST',
        severity: 'medium',
        nativeSeverity: 'warning',
        description: 'long',
        cwe: [788],
        locations: [step(9)],
        codeFlows: [[step(3), step(9)]],
      },
    ]);
  });

  test('remarks on the run are no results', async () => {
    expect((await parseBytes(cppcheck, sampleBytes('cppcheck/recorded_v2.10.xml'))).findings).toHaveLength(4);
    const { findings, unreadable } = await parseText(cppcheck, report(error('missingIncludeSystem', 'information')));
    expect([findings, unreadable]).toEqual([[], []]);
  });

  test('a file that could not be analysed makes the scan incomplete', async () => {
    const { failures } = await parseText(cppcheck, report(error('syntaxError', 'error', place(4))));
    expect(failures).toEqual(['/ci/7/shop/src/a.c could not be analysed: short']);
  });

  test('version 1 of the format', async () => {
    const old =
      '<?xml version="1.0"?>\n<results><error file="a.c" line="4" id="memleak" severity="error" msg="Leak"/></results>';
    expect(cppcheck.recognise(Buffer.from(old))).toBeGreaterThan(0.9);
    const { findings } = await parseText(cppcheck, old);
    expect(findings[0]).toMatchObject({ ruleId: 'memleak', locations: [{ path: 'a.c', startLine: 4 }] });
  });
});
