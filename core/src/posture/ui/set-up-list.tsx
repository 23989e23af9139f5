import { Button, ProgressBar } from '@blueprintjs/core';
import { SmallTick } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { findingsHref } from '../../findings/ui/index.ts';
import { can } from '../../platform/model/permissions.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { SESSION, type SignedInUser } from '../../shell/ui/navigation/shell-ports.ts';
import type { DashboardStore } from './dashboard.store.ts';

const STORAGE_KEY = 'bw-set-up-hidden';

interface Step {
  title: string;
  isDone: boolean;
  /** What is left to do, or why it waits. */
  note: ReactNode;
}

const stepsOf = (store: DashboardStore, user: SignedInUser | undefined): Step[] => {
  const { totals } = store;
  const hasData = totals?.hasData === true;
  const hasVerdict = totals?.hasVerdict === true;
  const hasPullRequest = totals?.hasPullRequest === true;
  return [
    { title: t('Account'), isDone: true, note: t('Signed in as {name}', { name: user?.username ?? '' }) },
    { title: t('First findings'), isDone: hasData, note: hasData ? t('Done') : t('Choose one of the three above') },
    {
      title: t('Triage your first finding'),
      isDone: hasVerdict,
      note: hasVerdict ? (
        t('Done')
      ) : hasData ? (
        <Link to={findingsHref()}>{t('Open the list')}</Link>
      ) : (
        t('Needs findings')
      ),
    },
    {
      title: t('Open a pull request from a patch'),
      isDone: hasPullRequest,
      note: hasPullRequest ? (
        t('Done')
      ) : can(user?.role, 'repositories.write') ? (
        <Link to="/manage-repositories">{t('Connect source control')}</Link>
      ) : (
        t('Needs source control')
      ),
    },
  ];
};

const readHidden = (): boolean => {
  try {
    return window.localStorage.getItem(STORAGE_KEY) === 'true';
  } catch {
    return false;
  }
};

/** How far the set-up is: real states, and why a step waits. */
export const SetUpList = observer(function SetUpList({ store }: { store: DashboardStore }) {
  const session = useService(SESSION);
  const [isHidden, setIsHidden] = useState(readHidden);
  const steps = stepsOf(store, session.user);
  const done = steps.filter((step) => step.isDone).length;
  const next = steps.findIndex((step) => !step.isDone);
  if (isHidden) return null;
  const hide = () => {
    setIsHidden(true);
    try {
      window.localStorage.setItem(STORAGE_KEY, 'true');
    } catch {
      // Not kept: it is hidden as long as the page shows.
    }
  };
  return (
    <section className="bp6-card set-up" aria-label={t('Set-up')}>
      <div className="row set-up-head">
        <h2>{t('Set-up')}</h2>
        <span className="muted small tn">{t('{count} of {total} done', { count: done, total: steps.length })}</span>
        <ProgressBar
          className="set-up-bar"
          animate={false}
          stripes={false}
          value={done / steps.length}
          aria-label={t('Set-up')}
        />
        <span className="grow" />
        <Button variant="minimal" size="small" text={t('Hide')} onClick={hide} />
      </div>
      <ol className="check">
        {steps.map((step, index) => (
          <li key={step.title}>
            <span className={`tick ${step.isDone ? 'done' : index === next ? 'now' : ''}`}>
              {step.isDone ? <SmallTick size={14} title={t('Done')} /> : index + 1}
            </span>
            <span className={step.isDone || index === next ? 'strong' : undefined}>{step.title}</span>
            <span className="muted small">{step.note}</span>
          </li>
        ))}
      </ol>
    </section>
  );
});
