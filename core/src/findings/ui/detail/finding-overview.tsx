import { ArrowRight } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { lazy, Suspense, useState } from 'react';
import { msg } from '../../../platform/model/message.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { PriorityValue } from '../../../platform/ui/display/priority-value.tsx';
import { copyText } from '../../../platform/ui/feedback/clipboard.ts';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { shortPath } from '../../model/finding-text.ts';
import type { FindingDetails } from '../data/finding-detail.store.ts';
import { useFindingsList } from '../triage/findings-context.ts';
import { ActionStrip } from './action-strip.tsx';
import { CodeViewer, ReportedCode } from './code-viewer.tsx';
import { FindingFacts } from './finding-facts.tsx';
import { FindingAssessment } from './finding-fix.tsx';
import { adviceText, isEstimate } from './fix-text.ts';
import { isExternal, safeAddress } from './link-policy.ts';
import { ScoreParts } from './score-parts.tsx';

// The parser of Markdown is 40 kB; the panel shows without waiting for it.
const LazyMarkdown = lazy(async () => ({ default: (await import('./safe-markdown.tsx')).SafeMarkdown }));

/** What a report says, in whatever language its tool writes: that of the page is not it. */
/** What a report wrote, in whatever language its tool writes, or an advice of ours. */
function Prose({ text, isOurs = false }: { text: string; isOurs?: boolean }) {
  return (
    <div lang={isOurs ? undefined : ''}>
      <Suspense fallback={<p className="prose">{text}</p>}>
        <LazyMarkdown text={text} />
      </Suspense>
    </div>
  );
}

/** References that are shown before anybody asks for the rest. */
const FIRST_REFERENCES = 5;

function References({ addresses }: { addresses: readonly string[] }) {
  const [isWhole, setWhole] = useState(false);
  const safe = addresses.map((address) => safeAddress(address, false)).filter(isExternal);
  if (safe.length === 0) return null;
  const shown = isWhole ? safe : safe.slice(0, FIRST_REFERENCES);
  const rest = safe.length - shown.length;
  return (
    <section className="sec">
      <h3>{t('References')}</h3>
      <ul className="links">
        {shown.map((address) => (
          <li key={address}>
            <a href={address} target="_blank" rel="noopener noreferrer">
              {address}
            </a>
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <button type="button" className="link" onClick={() => setWhole(true)}>
          {plural(rest, 'Show {count} more', 'Show {count} more')}
        </button>
      )}
    </section>
  );
}

interface OverviewProps {
  id: string;
  finding: FindingDetails;
  /** Makes the fix and shows it. */
  onFix: () => void;
}

/** What a model proposes, in the own organisation. */
const Assessment = observer(function Assessment({ id, finding }: Omit<OverviewProps, 'onFix'>) {
  const { triage, mayDecide, route } = useFindingsList();
  if (route.isReadOnly) return null;
  return (
    <FindingAssessment
      {...{ id, mayDecide }}
      verdict={finding.verdict}
      onAccept={(verdict, reason) => triage.ask({ kind: 'verdict', verdict, reason, target: { ids: [id] } })}
    />
  );
});

/** Everything that is known of a finding: what to do first, then the reason for its score. */
export function FindingOverview({ id, finding, onFix }: OverviewProps) {
  return (
    <>
      <ActionStrip {...{ id, finding, onFix }} />
      <section className="sec">
        <h3>
          {t('Why this score')}
          <span className="grow" />
          <span className="tn score-figure">
            <PriorityValue value={finding.priority} />
          </span>
        </h3>
        <ScoreParts priority={finding.priority} parts={finding.priority_parts} repositoryId={finding.repository_id} />
      </section>
      <section className="sec">
        <h3>{t('Where')}</h3>
        <FindingWhere finding={finding} />
      </section>
      <Assessment finding={finding} id={id} />
      <Exchange finding={finding} />
      {finding.description !== null && finding.description !== '' && (
        <section className="sec">
          <h3>{t('What is wrong')}</h3>
          <Prose text={finding.description} />
        </section>
      )}
      {(finding.mitigation !== null && finding.mitigation !== '') || finding.fixed_version !== null ? (
        <section className="sec">
          <h3>{t('What to do')}</h3>
          {finding.fixed_version !== null && finding.component !== null && (
            <p className="row wrap mono">
              {finding.component} {finding.component_version}
              <ArrowRight size={12} title={t('to')} />
              {finding.fixed_version}
            </p>
          )}
          {finding.mitigation !== null && finding.mitigation !== '' && (
            <Prose text={adviceText(finding.mitigation)} isOurs={isEstimate(finding.mitigation)} />
          )}
        </section>
      ) : null}
      <section className="sec">
        <h3>{t('Facts')}</h3>
        <FindingFacts finding={finding} />
      </section>
      <References addresses={finding.references} />
    </>
  );
}

const MESSAGES = [
  ['http_request', msg('Request')],
  ['http_response', msg('Response')],
  ['curl_command', msg('curl command')],
] as const;

/** What a scanner of a running application sent, what came back, and how to send it again. */
function Exchange({ finding }: { finding: FindingDetails }) {
  const toasts = useService(TOASTS);
  const parts = MESSAGES.flatMap(([key, label]) => {
    const text = finding[key];
    return text === null || text === '' ? [] : [{ key, label, text }];
  });
  if (parts.length === 0) return null;
  return (
    <section className="sec">
      <h3>{t('Request and response')}</h3>
      {parts.map(({ key, label, text }) => (
        <div key={key}>
          <h4>{t(label)}</h4>
          <CodeViewer
            path={finding.file_path ?? finding.resource ?? finding.rule_id}
            {...{ kind: key, code: text, firstLine: 1, markFrom: null, markTo: null }}
            onCopy={(copied) => void copyText(copied, toasts)}
          />
        </div>
      ))}
      <p className="muted small">{t('Passwords, cookies, tokens and keys are masked.')}</p>
    </section>
  );
}

type CodeLocation = FindingDetails['locations'][number];

const lineOf = (location: Pick<CodeLocation, 'start_line' | 'end_line'>): string => {
  if (location.start_line === null) return '';
  const isRange = location.end_line !== null && location.end_line !== location.start_line;
  return isRange ? `:${location.start_line}-${location.end_line}` : `:${location.start_line}`;
};

function FlowSteps({ steps }: { steps: readonly CodeLocation[] }) {
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
function FindingWhere({ finding }: { finding: FindingDetails }) {
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
        <p className="loc">{path === null ? t('The report names no file.') : `${path}${lineOf(finding)}`}</p>
      )}
      {finding.code_flows.map((steps, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: flows have no name and never move
        <section key={index}>
          <h4>
            {finding.code_flows.length > 1 ? t('Data flow {number}', { number: String(index + 1) }) : t('Data flow')}
          </h4>
          <FlowSteps steps={steps} />
        </section>
      ))}
      {others.length > 0 && (
        <section>
          <h4>{t('Also at')}</h4>
          <FlowSteps steps={others} />
        </section>
      )}
    </>
  );
}
