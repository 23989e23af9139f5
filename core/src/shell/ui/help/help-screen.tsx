import { lazy, Suspense } from 'react';
import { Link } from 'react-router-dom';
import { loadKeyTable } from '../../../findings/ui/index.ts';
import { can } from '../../../platform/model/permissions.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { PageHead } from '../../../platform/ui/page/page-layout.tsx';
import { SESSION } from '../navigation/shell-ports.ts';
import { GUIDE } from './guide.ts';
import './help.css';

const LazyKeyTable = lazy(async () => ({ default: await loadKeyTable() }));

/** How the product is used, step by step, and its keys. */
export function HelpScreen() {
  const { user } = useService(SESSION);
  const steps = GUIDE.filter(({ permission }) => can(user?.role, permission));
  return (
    <>
      <PageHead title={t('Help')} />
      <div className="help">
        <section aria-labelledby="help-guide">
          <h2 id="help-guide">{t('Guide')}</h2>
          <ol>
            {steps.map(({ title, text, links }) => (
              <li key={title}>
                <b className="strong">{t(title)}</b>
                <p>{t(text)}</p>
                <p className="row wrap small">
                  {links
                    .filter((link) => link.permission === undefined || can(user?.role, link.permission))
                    .map(({ label, to }) => (
                      <Link key={to} to={to}>
                        {t(label)}
                      </Link>
                    ))}
                </p>
              </li>
            ))}
          </ol>
          <p className="muted small">{t('Your role decides which pages you have. An admin changes it under Team.')}</p>
        </section>
        <section aria-labelledby="help-keys">
          <h2 id="help-keys">{t('Keys of the list')}</h2>
          <Suspense fallback={null}>
            <LazyKeyTable />
          </Suspense>
          <p className="muted small">{t('None of them acts while you type or while a dialog is open.')}</p>
        </section>
      </div>
    </>
  );
}
