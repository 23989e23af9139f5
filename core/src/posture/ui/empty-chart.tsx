import { Shield } from '@blueprintjs/icons';
import { Link } from 'react-router-dom';
import { EmptyState } from '../../platform/ui/feedback/placeholders.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { useEverythingHref } from './chart-place.ts';

/** A chart without a figure says why, and leads to everything. */
export function EmptyChart({ title }: { title: string }) {
  const everything = useEverythingHref();
  return (
    <EmptyState icon={<Shield size={20} />} title={title} actions={<Link to={everything}>{t('All findings')}</Link>} />
  );
}
