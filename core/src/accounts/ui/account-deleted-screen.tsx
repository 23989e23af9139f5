import { t } from '../../platform/ui/language/translate.ts';
import { DoneNote } from './account-form.tsx';
import './account-page.css';

/** `/account-deleted`: where a person ends who deleted their account. */
export function AccountDeletedScreen() {
  return (
    <DoneNote title={t('Your account is deleted')}>
      <p className="lead">
        {t(
          'You are signed out everywhere. Your name and your address are gone; what you decided shows “Former member”.',
        )}
      </p>
    </DoneNote>
  );
}
