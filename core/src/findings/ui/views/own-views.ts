import { msg } from '../../../platform/model/message.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import type { SignedInUser } from '../../../shell/ui/navigation/shell-ports.ts';
import type { Filters, ViewBase } from '../data/finding-view.ts';

/** The tab of the list as it begins for everybody. */
export const BASE_TABS: Readonly<Record<ViewBase, string>> = {
  open: msg('All open'),
  scm: msg('All open'),
  cloud: msg('All open'),
  all: msg('Everything'),
};

/** What is there for this person, whatever views they save. Findings are sent to developers; others own them. */
export const ownViews = ({ _id, role }: SignedInUser): { name: string; filters: Filters }[] =>
  role === 'developer'
    ? [
        { name: t('Assigned to me'), filters: { developer: [_id] } },
        { name: t('Owned by me'), filters: { issue_owner: [_id] } },
      ]
    : [{ name: t('Assigned to me'), filters: { issue_owner: [_id] } }];
