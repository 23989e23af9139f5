import { can } from '../../../platform/model/permissions.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { SESSION } from './shell-ports.ts';

/** What is searched: a superadmin has clients where others have findings. */
export const useSearchTarget = () => {
  const managesClients = can(useService(SESSION).user?.role, 'clients.manage');
  const path = managesClients ? '/manage-clients' : '/findings';
  return {
    title: managesClients ? t('Search clients') : t('Search findings'),
    hint: managesClients ? t('Name or e-mail') : t('Title, path or CVE'),
    addressOf: (text: string): string => {
      const wanted = text.trim();
      return wanted === '' ? path : `${path}?search=${encodeURIComponent(wanted)}`;
    },
  };
};
