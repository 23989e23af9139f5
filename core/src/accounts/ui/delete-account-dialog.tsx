import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { deleteOwnAccount } from '../api/own-account-routes.ts';
import type { Proofs } from './proof-fields.tsx';
import { ProvenDeletionDialog } from './proven-deletion-dialog.tsx';

interface DeleteAccountDialogProps {
  email: string;
  proofs: Proofs;
  onClose: () => void;
}

const isSame = (one: string, other: string): boolean => one.trim().toLowerCase() === other.toLowerCase();

/** Says what goes and what stays, and asks for the address and what proves who asks. */
export function DeleteAccountDialog({ email, proofs, onClose }: DeleteAccountDialogProps) {
  const api = useService(API);
  return (
    <ProvenDeletionDialog
      title={t('Delete my account')}
      actionLabel={t('Delete account')}
      confirmation={{
        id: 'email',
        label: t('Type {email} to confirm', { email }),
        refusal: t('Type {email} to confirm.', { email }),
        isGiven: (typed) => isSame(typed, email),
      }}
      proofs={proofs}
      onDelete={async (proof, typed, signal) => {
        await api.call(deleteOwnAccount, { body: { email: typed, ...proof }, signal });
      }}
      goneAt="/account-deleted"
      onClose={onClose}
    >
      <ul className="consequences">
        <li>
          {t(
            'Your name, address, picture, second factor, sessions, personal tokens, settings and private saved views are deleted.',
          )}
        </li>
        <li>
          {t(
            'What others need stays: decisions, comments and the audit log. It shows “Former member” in place of your name.',
          )}
        </li>
        <li>{t('Findings and repositories that you own have no owner then.')}</li>
        <li>{t('This cannot be undone.')}</li>
      </ul>
    </ProvenDeletionDialog>
  );
}
