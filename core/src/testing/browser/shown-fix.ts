import { writeDiff } from '../../remediation/model/unified-diff.ts';

const DIFF = writeDiff([
  { path: 'a b/requirements.txt', before: 'flask==1.0\n-- x\n', after: 'flask==2.3.2\n-- x\n' },
  { path: 'new.txt', before: null, after: '++ y\n' },
]);

/** A fix that is ready, on the wire; `change` says what is different. */
export const shownFix = (change: object = {}) => ({
  _id: 'rem-1',
  attributes: {
    ...{ client_id: 'c', finding_id: 'f-1', repository_id: 'r', title: 'Upgrade flask to 2.3.2', description: 'Why' },
    ...{ date: '2026-11-23T05:00:00.000Z', file_path: 'requirements.txt', line: 1, processing_status: 'ready' },
    ...{ remediation_type: 'pull_request', code_diff: DIFF, code_diff_original: DIFF, code_snippet: null },
    ...{ code_snippet_original: null, is_template: false, template: null, template_fields: [], template_values: {} },
    ...{
      diff_parser: 'git',
      diff_format: 'unified',
      reference_url: null,
      branch: 'main',
      fix_branch: 'breakwater/fix-1',
    },
    ...{
      repository: 'shop',
      number: null,
      files: ['requirements.txt'],
      is_edited: false,
      revision: 'r1',
      failure: null,
      remarks: [],
      tickets: [],
      ai: null,
      settings: null,
    },
    ...{ history: [], ...change },
  },
});
