import { msg } from '../../../platform/model/message.ts';
import { Time } from '../../../platform/ui/display/badges.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { type ChangeKind, REMEDIATION_NOTES } from '../../model/states.ts';
import type { Remediation } from '../fix.store.ts';

type Change = Remediation['attributes']['history'][number];

const PARTS: Readonly<Record<string, string>> = {
  code_diff: msg('Patch'),
  title: msg('Title'),
  description: msg('Description'),
};

const editText = (detail: string | null): string => {
  const parts = (detail ?? '').split(', ').flatMap((part) => {
    const name = PARTS[part];
    return name === undefined ? [] : [t(name)];
  });
  return parts.length === 0 ? t('Edited') : t('Edited: {parts}', { parts: parts.join(', ') });
};

const TEXTS: Readonly<Record<Exclude<ChangeKind, 'edit'>, string>> = {
  generate: msg('Generation began'),
  planned: msg('Fix generated'),
  input_needed: msg('Values are missing'),
  fail: msg('No fix'),
  exceed_quota: msg('Quota used up'),
  open_pull_request: msg('Pull request opened'),
  open_issue: msg('Issue opened'),
  set_settings: msg('Settings changed'),
  open_failed: msg('Could not be opened'),
  merge: msg('Merged'),
  close: msg('Closed without being taken'),
  ticket: msg('Ticket sent'),
  ticket_status: msg('Ticket changed'),
  ticket_gone: msg('Ticket deleted'),
  ticket_failed: msg('Ticket failed'),
};

/** Kinds whose detail says more than their name. */
const WITH_DETAIL: readonly ChangeKind[] = ['input_needed', 'fail', ...REMEDIATION_NOTES];

function HistoryLine({ change }: { change: Change }) {
  const { kind, actor, at, detail } = change;
  return (
    <li>
      <span>{kind === 'edit' ? editText(detail) : t(TEXTS[kind])}</span>
      <span className="muted">{actor ?? 'Breakwater'}</span>
      <Time value={at} />
      {WITH_DETAIL.includes(kind) && detail !== null && <span className="t2 why">{t(detail)}</span>}
    </li>
  );
}

/** Who did what to the fix, newest first. */
export function PatchHistory({ changes }: { changes: readonly Change[] }) {
  return (
    <section className="bp6-card" aria-label={t('History')}>
      <h2>{t('History')}</h2>
      <ul className="hist">
        {changes.map((change) => (
          <HistoryLine key={`${change.at} ${change.kind}`} change={change} />
        ))}
      </ul>
    </section>
  );
}
