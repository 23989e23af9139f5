import { describe, expect, it } from 'vitest';
import type { FixFinding } from '../../model/fix.ts';
import { filesForFix, planFix } from './plan-fix.ts';

const INJECTION: FixFinding = {
  id: 'f1',
  tool: 'opengrep',
  ruleId: 'javascript.express.express-sequelize-injection',
  title: 'SQL injection',
  type: 'SAST',
  cve: null,
  file: 'routes/search.ts',
  startLine: 23,
  endLine: 23,
  resource: null,
  component: null,
};

describe('the plan of a fix', () => {
  it('says of a flaw in code that its correction needs a change of the code', async () => {
    expect(filesForFix(INJECTION)).toEqual(['routes/search.ts']);
    const plan = await planFix({
      finding: INJECTION,
      related: [],
      files: [{ path: 'routes/search.ts', content: 'x' }],
    });
    expect(plan).toMatchObject({ kind: 'none', reason: 'needs_code_change' });
  });
});
