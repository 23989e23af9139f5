import { msg } from '../../../../platform/model/message.ts';
import { say } from '../../../../platform/model/sentence.ts';
import { CannotFix } from '../text/cannot-fix.ts';
import { applyEdits, linesOf } from '../text/edits.ts';
import { type Template, template } from './template.ts';

const NOENT = /\bnoent\s*:\s*true\b/g;

/** Changes of code that are right whatever stands around them: an option that a rule names, at the line that it names. */
export const CODE_TEMPLATES: readonly Template[] = [
  template({
    name: 'code.libxml-entities',
    title: msg('Leave entities of XML documents unresolved'),
    why: 'With `noent: true` a document makes the parser read files and addresses of its choice (XXE).',
    rules: [
      'javascript.express.security.audit.express-libxml-noent.express-libxml-noent',
      'javascript.express.security.audit.express-libxml-vm-noent.express-libxml-vm-noent',
    ],
    isBreaking: true,
    remaining: [msg('Documents that define entities of their own are read without them: see that none of yours does.')],
    edit: ({ path, text, finding }) => {
      const line = linesOf(text)[(finding.startLine ?? 0) - 1];
      const [found, ...others] = [...(line?.text ?? '').matchAll(NOENT)];
      if (line === undefined || found === undefined || others.length > 0)
        throw new CannotFix(
          'place_not_found',
          say('Line {line} of {path} sets no single `noent: true`.', { line: String(finding.startLine ?? '?'), path }),
        );
      const start = line.start + found.index;
      const value = found[0].replace(/true$/, 'false');
      return applyEdits(text, [{ start, end: start + found[0].length, text: value }]);
    },
  }),
];
