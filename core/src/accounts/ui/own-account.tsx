import { AnchorButton, Button } from '@blueprintjs/core';
import { Download, Trash } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { fullPath } from '../../platform/api/contract.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { SESSION_STORE } from '../../session/ui/index.ts';
import { exportOwnData } from '../api/own-account-routes.ts';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import { useProofs } from './proof-fields.tsx';
import './own-account.css';

/** What people may do with what is kept about them: take it along, and end it. */
export const OwnAccount = observer(function OwnAccount() {
  const { user } = useService(SESSION_STORE);
  const proofs = useProofs();
  const [isDeleting, setIsDeleting] = useState(false);
  if (user === undefined) return null;
  return (
    <div className="own-account">
      <section aria-labelledby="own-data">
        <h2 id="own-data">{t('Your data')}</h2>
        <p className="t2">
          {t(
            'All that is kept about you, as one JSON file: account, sessions, settings, saved views, decisions, comments, and what the audit log says of you. It holds no password and no token.',
          )}
        </p>
        <AnchorButton
          icon={<Download aria-hidden={true} />}
          text={t('Download my data')}
          href={fullPath(exportOwnData)}
          download={true}
        />
      </section>
      {user.role !== 'superadmin' && (
        <section aria-labelledby="delete-account">
          <h2 id="delete-account">{t('Delete account')}</h2>
          <p className="t2">
            {t(
              'Nothing personal is left of you. Where your organisation signs in by single sign-on or provisions its people, the identity provider makes a new account as long as you are assigned there.',
            )}
          </p>
          <Button
            intent="danger"
            variant="outlined"
            icon={<Trash aria-hidden={true} />}
            text={t('Delete my account…')}
            disabled={proofs === undefined}
            onClick={() => setIsDeleting(true)}
          />
        </section>
      )}
      {isDeleting && proofs !== undefined && (
        <DeleteAccountDialog email={user.email} proofs={proofs} onClose={() => setIsDeleting(false)} />
      )}
    </div>
  );
});
