import { Link } from 'react-router-dom';
import { t } from '../../../platform/ui/language/translate.ts';

/** `/organization-deleted`: where an admin ends who deleted the organisation. */
export function OrganizationDeletedScreen() {
  return (
    <div className="signin" role="status">
      <h1>{t('The organisation is deleted')}</h1>
      <p className="lead">{t('Nothing of it is left. All its people are signed out.')}</p>
      <p className="after">
        <Link to="/login">{t('Back to sign in')}</Link>
      </p>
    </div>
  );
}
