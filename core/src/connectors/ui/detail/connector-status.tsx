import { InfoSign, WarningSign } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { msg } from '../../../platform/model/message.ts';
import { StatusDot } from '../../../platform/ui/display/badges.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import type { Connector } from '../data/connector.ts';
import { needsAttention, type StatusWord, statusOf } from '../data/connector-state.ts';
import { noteOf } from '../data/connector-text.ts';
import type { Work } from '../data/connectors.store.ts';

const CHECKING = msg('Asking the service, 10 seconds at most. It goes on when you leave.');

const isAsking = (connector: Connector, work: Work | undefined): boolean =>
  work === 'save' || work === 'check' || connector.state === 'checking';

interface StateNoteProps {
  connector: Connector;
  work: Work | undefined;
}

/** Where the connection stands, why, and what can be done about it. Said aloud when it changes. */
export const StateNote = observer(function StateNote({ connector, work }: StateNoteProps) {
  const isWrong = work === undefined && needsAttention(connector);
  const { help, scopes } = connector.state_detail;
  return (
    <div className="state-note">
      <p className="small" role="status">
        <StatusLine connector={connector} work={work} />
      </p>
      {isWrong ? (
        <div className="bp6-callout callout-warn" role="alert">
          <WarningSign size={16} aria-hidden={true} />
          <div>
            <p>{noteOf(connector)}</p>
            {help !== null && <p className="small">{t(help)}</p>}
          </div>
        </div>
      ) : (
        <p className="t2">{isAsking(connector, work) ? t(CHECKING) : noteOf(connector)}</p>
      )}
      {scopes.length > 0 && connector.state === 'connected' && (
        <p className="small muted">{t('May: {scopes}', { scopes: scopes.join(', ') })}</p>
      )}
    </div>
  );
});

/** One quiet line with an icon: a licence, a role. */
export function Remark({ children }: { children: React.ReactNode }) {
  return (
    <div className="bp6-callout callout-n remark">
      <InfoSign size={16} aria-hidden={true} />
      <p className="small">{children}</p>
    </div>
  );
}

const WORK_WORDS: Record<Work, string> = {
  save: msg('Checking access'),
  check: msg('Checking access'),
  'sign-in': msg('Going to the service'),
  sync: msg('Pulling findings'),
  release: msg('Being released'),
  remove: msg('Being deleted'),
  switch: msg('Switching'),
};

interface StatusLineProps {
  connector: Connector;
  work: Work | undefined;
}

/** The state in shape, colour and word; a spinner while something runs. */
export function StatusLine({ connector, work }: StatusLineProps) {
  const status: StatusWord =
    work === undefined ? statusOf(connector) : { tone: 'neutral', word: WORK_WORDS[work], isBusy: true };
  if (status.isBusy !== true) return <StatusDot tone={status.tone}>{t(status.word)}</StatusDot>;
  return (
    <span className="st">
      <span className="conn-spin" aria-hidden="true" />
      {t(status.word)}
    </span>
  );
}
