import { copyText } from '../../../platform/ui/clipboard.ts';
import { useService } from '../../../platform/ui/services.tsx';
import { TOASTS } from '../../../platform/ui/toasts.store.ts';
import type { FindingDetails } from '../finding-detail.store.ts';
import { shortPath } from '../finding-text.ts';
import { ReportedCode } from './code-viewer.tsx';

type Place = FindingDetails['locations'][number];

const lineOf = (place: Pick<Place, 'start_line' | 'end_line'>): string => {
  if (place.start_line === null) return '';
  const isRange = place.end_line !== null && place.end_line !== place.start_line;
  return isRange ? `:${place.start_line}-${place.end_line}` : `:${place.start_line}`;
};

function FlowSteps({ steps }: { steps: readonly Place[] }) {
  return (
    <ol className="flow">
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps never move, and the same place may come twice
        <li key={index}>
          <span className="tick" aria-hidden="true">
            {index + 1}
          </span>
          <span className="loc" title={step.path}>
            {shortPath(step.path)}
            {lineOf(step)}
          </span>
          {step.message !== null && step.message !== '' && <span className="t2">{step.message}</span>}
          {step.snippet !== null && step.snippet.trim() !== '' && <code className="trunc">{step.snippet.trim()}</code>}
        </li>
      ))}
    </ol>
  );
}

/** Where a finding is: its code with the line marked, the way the data took, and further places. */
export function FindingWhere({ finding }: { finding: FindingDetails }) {
  const toasts = useService(TOASTS);
  const { scanner_report_code: encoded, file_path: path } = finding;
  const [, ...others] = finding.locations;
  return (
    <>
      {encoded !== null && encoded !== '' ? (
        <ReportedCode
          path={path ?? finding.rule_id}
          encoded={encoded}
          firstLine={finding.code_start_line ?? finding.start_line ?? 1}
          markFrom={finding.start_line}
          markTo={finding.end_line}
          onCopy={(text) => void copyText(text, toasts)}
        />
      ) : (
        <p className="loc">{path === null ? 'The report names no file.' : `${path}${lineOf(finding)}`}</p>
      )}
      {finding.code_flows.map((steps, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: flows have no name and never move
        <section key={index}>
          <h4>{finding.code_flows.length > 1 ? `Data flow ${index + 1}` : 'Data flow'}</h4>
          <FlowSteps steps={steps} />
        </section>
      ))}
      {others.length > 0 && (
        <section>
          <h4>Also at</h4>
          <FlowSteps steps={others} />
        </section>
      )}
    </>
  );
}
