import { InfoSign, WarningSign } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import type { Connector } from '../connector.ts';
import { needsAttention } from '../connector-state.ts';
import { noteOf } from '../connector-text.ts';
import type { Work } from '../connectors.store.ts';
import { StatusLine } from './status-line.tsx';

const CHECKING = 'Asking the service, 10 seconds at most. It goes on when you leave.';

const isAsking = (connector: Connector, work: Work | undefined): boolean =>
  work === 'save' || work === 'check' || connector.state === 'checking';

export interface StateNoteProps {
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
            {help !== null && <p className="small">{help}</p>}
          </div>
        </div>
      ) : (
        <p className="t2">{isAsking(connector, work) ? CHECKING : noteOf(connector)}</p>
      )}
      {scopes.length > 0 && connector.state === 'connected' && <p className="small muted">May: {scopes.join(', ')}</p>}
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
