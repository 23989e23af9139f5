import { describe, expect, test } from 'vitest';
import { parseBytes, parseText, sampleBytes } from '../../testing/samples.ts';
import { tflint } from './parser.ts';

const read = async (file: string) => {
  const { findings } = await parseBytes(tflint, sampleBytes(`tflint/${file}`));
  // Each format leaves out some of the rest: the link, the end of the range, the callers.
  return findings.map(({ ruleId, title, type, severity, nativeSeverity, description, locations }) => {
    const { path, startLine, startColumn } = locations?.[0] ?? {};
    return { ruleId, title, type, severity, nativeSeverity, description, path, startLine, startColumn };
  });
};

describe('formats of tflint', () => {
  test.each(['checkstyle.xml', 'junit.xml', 'compact.txt'])('%s says what the JSON says', async (form) => {
    expect(await read(`made_issues.${form}`)).toEqual(await read('am_tflint.json'));
  });

  test('errors of the scan are no findings', async () => {
    const checkstyle = `<?xml version="1.0" encoding="UTF-8"?>
<checkstyle>
  <file name="(application)">
    <error source="(application)" line="0" column="0" severity="error" message="m" link="" rule="(application)"></error>
  </file>
  <file name="test.tf">
    <error source="summary" line="1" column="1" severity="error" message="detail" link="" rule=""></error>
  </file>
</checkstyle>`;
    expect((await parseText(tflint, checkstyle)).findings).toEqual([]);
    const junit = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite tests="1" failures="1" time="0" name="">
    <properties></properties>
    <testcase classname="(application)" name="application_error" time="0">
      <failure message="Failed to check ruleset" type="error">Error: Failed to check ruleset</failure>
    </testcase>
  </testsuite>
</testsuites>`;
    expect((await parseText(tflint, junit)).findings).toEqual([]);
    expect((await parseText(tflint, '1 issue(s) found:\n\nmain.tf:1:22: error - Unclosed block.\n')).findings).toEqual(
      [],
    );
  });

  test('a range over several lines', async () => {
    const junit = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite tests="1" failures="1" time="0" name="">
    <testcase classname="a.tf" name="terraform_required_version a.tf:1,2-3,4" time="0">
      <failure message="a.tf:1,2-3,4: two&#xA;lines" type="Warning">Warning: two&#xA;lines&#xA;Rule: terraform_required_version&#xA;Range: a.tf:1,2-3,4</failure>
    </testcase>
  </testsuite>
</testsuites>`;
    expect((await parseText(tflint, junit)).findings[0]).toMatchObject({
      description: 'two\nlines',
      locations: [{ path: 'a.tf', startLine: 1, startColumn: 2, endLine: 3, endColumn: 4 }],
    });
  });
});
