import { t } from '../language/translate.ts';
import './approval.css';

interface PermissionListProps<T extends string> {
  label: string;
  /** What is asked for. */
  wanted: readonly T[];
  /** What was approved before; undefined where nothing was. */
  approved: readonly T[] | undefined;
  none: string;
  /** Hosts and names; else sentences. Default true. */
  isCode?: boolean;
  /** As people read one; as it is unless said. */
  textOf?: (permission: T) => string;
}

/** What is asked for, what of it is new, and what is not asked for any more. */
export function PermissionList<T extends string>(props: PermissionListProps<T>) {
  const { label, wanted, approved, none, isCode = true, textOf = (one) => one } = props;
  const written = isCode ? 'mono' : '';
  const gone = approved?.filter((one) => !wanted.includes(one)) ?? [];
  return (
    <ul className="permission-list" aria-label={label}>
      {wanted.map((one) => (
        <li key={one}>
          <span className={written}>{textOf(one)}</span>
          {approved !== undefined && !approved.includes(one) && <span className="sig confirm">{t('New')}</span>}
        </li>
      ))}
      {gone.map((one) => (
        <li key={one}>
          <s className={`${written} muted`}>{textOf(one)}</s>
          <span className="sig">{t('No longer')}</span>
        </li>
      ))}
      {wanted.length === 0 && <li className="muted">{none}</li>}
    </ul>
  );
}
