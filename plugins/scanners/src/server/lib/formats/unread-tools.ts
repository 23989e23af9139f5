import { ReportError } from '@breakwater/sdk';
import { hasKeys, innerHas, type JsonSketch, sketchJson, textsUnder } from '../json/sketch.ts';

/** A tool whose reports look like those of one that is read, and are not. */
interface UnreadTool {
  /** Name that its importer would have: once there is one, it reads them. */
  tool: string;
  title: string;
  wrote(sketch: JsonSketch, head: Uint8Array): boolean;
  /** What to do instead, in one sentence. */
  advice: string;
}

const GENERIC = 'bring its results into the JSON or CSV format of Breakwater, whose template the upload page offers';

const UNREAD_TOOLS: readonly UnreadTool[] = [
  {
    tool: 'rusty_hog',
    title: 'Rusty Hog',
    // TruffleHog 2, whose format it took, always names the branch
    wrote: (sketch) => hasKeys(sketch, 'stringsFound', 'reason') && !hasKeys(sketch, 'branch'),
    advice: `Scan with TruffleHog or Gitleaks, or ${GENERIC}.`,
  },
  {
    tool: 'xeol',
    title: 'Xeol',
    // it writes the document of Grype with ends of life in the place of vulnerabilities
    wrote: (sketch, head) =>
      innerHas(sketch, 'matches', 'Cycle') ||
      (hasKeys(sketch, 'matches') && textsUnder(head, 'descriptor', 'name').some((name) => /^xeol$/i.test(name))),
    advice: `It lists packages at the end of their life. For vulnerabilities run Grype, or ${GENERIC}.`,
  },
  {
    tool: 'shellcheck',
    title: 'ShellCheck',
    // Hadolint, which runs it, writes neither an end nor a fix
    wrote: (sketch) =>
      hasKeys(sketch, 'code', 'endLine', 'endColumn') || innerHas(sketch, 'comments', 'endLine', 'endColumn'),
    advice: `Scan Dockerfiles with Hadolint, which runs ShellCheck, or ${GENERIC}.`,
  },
];

/** @throws ReportError report_wrong_tool for a report of a tool that none of the importers reads */
export function refuseUnread(head: Uint8Array, importers: ReadonlySet<string>): void {
  const sketch = sketchJson(head);
  const found = UNREAD_TOOLS.find(({ tool, wrote }) => !importers.has(tool) && wrote(sketch, head));
  if (found === undefined) return;
  throw new ReportError(
    'report_wrong_tool',
    `This is a report of ${found.title}, which is not read here. Nothing was imported. ${found.advice}`,
  );
}
