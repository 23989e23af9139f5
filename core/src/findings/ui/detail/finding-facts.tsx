import { Button } from '@blueprintjs/core';
import { Duplicate } from '@blueprintjs/icons';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router-dom';
import { msg } from '../../../platform/model/message.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { formatEpss, StatusDot, Time } from '../../../platform/ui/display/badges.tsx';
import { formatDate, formatFixed, formatPercent } from '../../../platform/ui/display/formats.ts';
import { copyText } from '../../../platform/ui/feedback/clipboard.ts';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { isReportedBefore, publishedYear } from '../../model/dates.ts';
import { titleOf } from '../../model/finding-text.ts';
import { toolLabel } from '../../model/labels.ts';
import type { FindingDetails } from '../data/finding-detail.store.ts';
import { stateOf } from '../data/finding-text.ts';
import { hrefOfFilters } from '../data/list-route.ts';
import { useFindingsList } from '../triage/findings-context.ts';
import { DueBasis } from './due-basis.tsx';
import { importedByText, packageUseText } from './package-use-text.ts';

interface FactProps {
  name: string;
  children: ReactNode;
}

function Fact({ name, children }: FactProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function CvssFact({ finding }: { finding: FindingDetails }) {
  if (finding.cvssv3_score === null) return null;
  return (
    <Fact name={t('CVSS v3')}>
      <span className="tn">{formatFixed(finding.cvssv3_score, 1)}</span>
      {finding.cvssv3_vector !== null && <div className="mono muted">{finding.cvssv3_vector}</div>}
    </Fact>
  );
}

const epssSource = (date: string | null, model: string | null): string => {
  if (date === null) return t('Model {model}', { model: model ?? '' });
  return model === null
    ? t('Data of {date}', { date: formatDate(date) })
    : t('Data of {date}, model {model}', { date: formatDate(date), model });
};

function EpssFact({ finding }: { finding: FindingDetails }) {
  if (finding.estimated_epss === null) return null;
  const { epss_percentile: percentile, epss_date: date, epss_model: model } = finding;
  return (
    <Fact name={t('EPSS')}>
      <span className="tn">{formatPercent(finding.estimated_epss * 100, 2)}</span>
      {percentile !== null && (
        <span className="muted">{t(', higher than {share} of all', { share: formatEpss(percentile) })}</span>
      )}
      {(date !== null || model !== null) && <div className="muted small">{epssSource(date, model)}</div>}
    </Fact>
  );
}

const kevText = (added: string | null, due: string | null): string => {
  if (due === null) return added === null ? t('Yes') : t('Since {date}', { date: formatDate(added) });
  return added === null
    ? t('Yes, due {due}', { due: formatDate(due) })
    : t('Since {date}, due {due}', { date: formatDate(added), due: formatDate(due) });
};

function KevFact({ finding }: { finding: FindingDetails }) {
  if (!finding.kev) return null;
  return (
    <Fact name={t('Known exploited')}>
      {kevText(finding.kev_date_added, finding.kev_due_date)}
      {finding.kev_ransomware === true && <div>{t('Used in ransomware campaigns')}</div>}
      {finding.kev_required_action !== null && <div className="t2">{finding.kev_required_action}</div>}
    </Fact>
  );
}

type EstimatedField = FindingDetails['estimated'][number];

/** Says that our rules made a value, not the tool. */
function EstimateMark({ finding, field }: { finding: FindingDetails; field: EstimatedField }) {
  return finding.estimated.includes(field) ? <span className="muted small"> {t('estimate')}</span> : null;
}

const SCORES = [
  ['exploitability', msg('Exploitability'), msg(' of 100, how easily it is exploited')],
  ['impact', msg('Impact'), msg(' of 100, how much it does')],
  ['effort_for_fixing', msg('Effort to fix'), msg(' of 100, more is more work')],
] as const;

function EstimateFacts({ finding }: { finding: FindingDetails }) {
  return SCORES.map(([field, name, meaning]) => {
    const value = finding[field];
    if (value === null) return null;
    return (
      <Fact key={field} name={t(name)}>
        <span className="tn">{value}</span>
        <span className="muted">{t(meaning)}</span>
        <EstimateMark finding={finding} field={field} />
      </Fact>
    );
  });
}

function PolicyFacts({ finding }: { finding: FindingDetails }) {
  const parts = [finding.policy_name, finding.policy_control, finding.policy_category].filter((part) => part !== null);
  return (
    <>
      {parts.length > 0 && (
        <Fact name={t('Policy')}>
          {parts.join(', ')}
          <EstimateMark finding={finding} field="policy_name" />
        </Fact>
      )}
      {finding.language !== null && (
        <Fact name={t('Language')}>
          {finding.language}
          <EstimateMark finding={finding} field="language" />
        </Fact>
      )}
    </>
  );
}

function WeaknessFacts({ finding }: { finding: FindingDetails }) {
  const { route } = useFindingsList();
  return (
    <>
      {finding.cwe.length > 0 && (
        <Fact name={t('Weakness')}>
          {finding.cwe.map((id) => (
            <div key={id}>
              <Link to={hrefOfFilters(route, { cwe: [id] })}>{`CWE-${id}`}</Link>{' '}
              {finding.cwe_names.find((named) => named.id === id)?.name}
            </div>
          ))}
        </Fact>
      )}
      {finding.owasp_2025 !== null && <Fact name={t('OWASP 2025')}>{finding.owasp_2025}</Fact>}
      {finding.slsa_threats.length > 0 && <Fact name={t('SLSA threats')}>{finding.slsa_threats.join(', ')}</Fact>}
      {finding.owasp_cicd.length > 0 && <Fact name={t('OWASP CI/CD')}>{finding.owasp_cicd.join(', ')}</Fact>}
      {finding.owasp_2021 !== null && <Fact name={t('OWASP 2021')}>{finding.owasp_2021}</Fact>}
      {finding.cve !== null && (
        <Fact name={t('CVE')}>
          <Link to={hrefOfFilters(route, { cve: [finding.cve] })}>{finding.cve}</Link>
        </Fact>
      )}
      {finding.aliases.some((alias) => alias !== finding.cve) && (
        <Fact name={t('Also known as')}>{finding.aliases.filter((alias) => alias !== finding.cve).join(', ')}</Fact>
      )}
    </>
  );
}

function ComponentFacts({ finding }: { finding: FindingDetails }) {
  if (finding.component === null) return null;
  return (
    <>
      <Fact name={t('Component')}>
        <span className="mono">
          {finding.component} {finding.component_version}
        </span>
      </Fact>
      <Fact name={t('Fixed in')}>
        {finding.fixed_version === null ? (
          t('No fixed version known')
        ) : (
          <span className="mono">{finding.fixed_version}</span>
        )}
      </Fact>
    </>
  );
}

function PackageUseFact({ finding }: { finding: FindingDetails }) {
  const { package_use: use, package_imported_by: by } = finding;
  if (use === null) return null;
  return (
    <Fact name={t('Package use')}>
      {packageUseText(use)}
      {by !== null && <div className="t2">{importedByText(by)}</div>}
    </Fact>
  );
}

/** Of which finding this is a duplicate, and why. */
function OriginalFact({ finding }: { finding: FindingDetails }) {
  const { hrefOf } = useFindingsList();
  const original = finding.occurrences.find((one) => one.relation === 'original');
  if (original === undefined) return null;
  return (
    <Fact name={t('Duplicate of')}>
      <Link to={hrefOf(original._id)}>{titleOf(original)}</Link>
      {original.reason !== null && <div className="t2">{original.reason}</div>}
    </Fact>
  );
}

/** When it was found here, since when its tool reports it, and when its vulnerability was published: three different days. */
function DateFacts({ finding }: { finding: FindingDetails }) {
  const year = finding.published_on === null ? publishedYear(finding.cve) : undefined;
  return (
    <>
      <Fact name={t('First found here')}>
        <Time value={finding.first_seen} />
      </Fact>
      {isReportedBefore(finding) && (
        <Fact name={t('Reported since')}>
          <Time value={finding.date} />
        </Fact>
      )}
      {finding.published_on !== null && <Fact name={t('Published')}>{formatDate(finding.published_on)}</Fact>}
      {year !== undefined && (
        <Fact name={t('Published')}>
          {year} <span className="muted small">{t('by its CVE number')}</span>
        </Fact>
      )}
    </>
  );
}

/** What is known about a finding, one fact a line. */
export function FindingFacts({ finding }: { finding: FindingDetails }) {
  const state = stateOf(finding);
  const { id } = useParams();
  const { route } = useFindingsList();
  return (
    <dl className="kv">
      <Fact name={t('Status')}>
        <StatusDot tone={state.tone}>{state.word}</StatusDot>
        {finding.verdict_reason !== null && <div className="t2">{finding.verdict_reason}</div>}
      </Fact>
      <OriginalFact finding={finding} />
      {finding.due_date !== null && (
        <Fact name={t('Due')}>
          <DueBasis finding={finding} />
        </Fact>
      )}
      <CvssFact finding={finding} />
      <EpssFact finding={finding} />
      <KevFact finding={finding} />
      <EstimateFacts finding={finding} />
      <WeaknessFacts finding={finding} />
      <PolicyFacts finding={finding} />
      <ComponentFacts finding={finding} />
      <PackageUseFact finding={finding} />
      <Fact name={t('Repository')}>
        <Link to={hrefOfFilters(route, { repository: [finding.repository_id] })}>{finding.repository}</Link>
        {finding.branch ? (
          <div className="t2">
            {t('Branch {branch}. Lists show it only when you filter by that branch.', { branch: finding.branch })}
          </div>
        ) : null}
      </Fact>
      {finding.file_path !== null && (
        <Fact name={t('File')}>
          <CopiedText copyLabel={t('Copy the file path')} text={finding.file_path} />
        </Fact>
      )}
      {finding.resource !== null && (
        <Fact name={t('Resource')}>
          <Link className="mono" to={hrefOfFilters(route, { resource: [finding.resource] })}>
            {finding.resource}
          </Link>
        </Fact>
      )}
      <Fact name={t('Tool')}>
        {t(toolLabel(finding.tool))}
        {finding.native_severity !== null && (
          <span className="muted">{t(', says “{severity}”', { severity: finding.native_severity })}</span>
        )}
      </Fact>
      <Fact name={t('Rule')}>
        <span className="mono">{finding.rule_id}</span>
      </Fact>
      <DateFacts finding={finding} />
      <Fact name={t('Last seen')}>
        <Time value={finding.last_seen} />
      </Fact>
      {id !== undefined && (
        <Fact name={t('Id')}>
          <CopiedText copyLabel={t('Copy the id')} text={id} />
        </Fact>
      )}
    </dl>
  );
}

interface CopiedTextProps {
  /** What the button says: "Copy the file path". */
  copyLabel: string;
  text: string;
}

/** A text that people take along, with a button that copies it. */
function CopiedText({ copyLabel, text }: CopiedTextProps) {
  const toasts = useService(TOASTS);
  return (
    <span className="copied-text">
      <span className="mono">{text}</span>
      <Button
        variant="minimal"
        size="small"
        icon={<Duplicate size={12} />}
        aria-label={copyLabel}
        title={copyLabel}
        onClick={() => void copyText(text, toasts)}
      />
    </span>
  );
}
