import { Time } from '../../../platform/ui/display/badges.tsx';
import type { Remediation } from '../fix.store.ts';

type Change = Remediation['attributes']['history'][number];

const PARTS: Readonly<Record<string, string>> = { code_diff: 'the patch', title: 'the title', description: 'the text' };

const editText = (detail: string | null): string => {
  const parts = (detail ?? '').split(', ').flatMap((part) => PARTS[part] ?? []);
  return `Edited ${parts.length === 0 ? 'the fix' : parts.join(' and ')}`;
};

const TEXTS: Readonly<Record<string, string>> = {
  generate: 'Generation began',
  planned: 'Fix generated',
  input_needed: 'Values are missing',
  fail: 'No fix',
  exceed_quota: 'Quota used up',
  open_pull_request: 'Pull request opened',
  open_issue: 'Issue opened',
  set_settings: 'Settings changed',
  open_failed: 'Could not be opened',
  merge: 'Merged',
  close: 'Closed without being taken',
};

/** Kinds whose detail says more than their name. */
const WITH_DETAIL: readonly string[] = ['input_needed', 'fail', 'open_failed'];

function HistoryLine({ change }: { change: Change }) {
  const { kind, actor, at, detail } = change;
  return (
    <li>
      <span>{kind === 'edit' ? editText(detail) : (TEXTS[kind] ?? kind)}</span>
      <span className="muted">{actor ?? 'Breakwater'}</span>
      <Time value={at} />
      {WITH_DETAIL.includes(kind) && detail !== null && <span className="t2 why">{detail}</span>}
    </li>
  );
}

/** Who did what to the fix, newest first. */
export function PatchHistory({ changes }: { changes: readonly Change[] }) {
  return (
    <section className="bp6-card" aria-label="History">
      <h2>History</h2>
      <ul className="hist">
        {changes.map((change) => (
          <HistoryLine key={`${change.at} ${change.kind}`} change={change} />
        ))}
      </ul>
    </section>
  );
}
