import { Button } from '@blueprintjs/core';
import { ArrowDown, ArrowUp, History, Trash, Upload } from '@blueprintjs/icons';
import { Link, useNavigate } from 'react-router-dom';
import { StatusDot, Time } from '../../platform/ui/display/badges.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import type { OnView } from '../../platform/ui/page/use-address-view.ts';
import { PersonAvatar } from '../../session/ui/index.ts';
import {
  findingsOf,
  type RepositoryItem,
  repositoryPath,
  SeverityCounts,
  scansOf,
  sourceOf,
  stateOf,
} from './parts/repository-display.tsx';
import { firstOrder, type RepositorySort, type RepositoryView } from './repositories.store.ts';

interface SortHeadProps {
  field: RepositorySort;
  label: string;
  view: RepositoryView;
  onView: OnView<RepositoryView>;
}

function SortHead({ field, label, view, onView }: SortHeadProps) {
  const isSorted = view.sortField === field;
  const next = isSorted ? (view.sort === 'asc' ? 'desc' : 'asc') : firstOrder(field);
  return (
    <th aria-sort={isSorted ? (view.sort === 'asc' ? 'ascending' : 'descending') : undefined}>
      <button type="button" className="th-s" onClick={() => onView({ sortField: field, sort: next, page: 0 })}>
        {label}
        {isSorted && (view.sort === 'asc' ? <ArrowUp size={12} /> : <ArrowDown size={12} />)}
      </button>
    </th>
  );
}

/** What can be done with a repository. */
interface RepositoryActions {
  mayDelete: boolean;
  onUpload: (item: RepositoryItem) => void;
  onDelete: (item: RepositoryItem) => void;
}

interface RowProps {
  item: RepositoryItem;
  /** None where the list is only read. */
  actions?: RepositoryActions | undefined;
  /** List of findings that the row leads to; the own one unless said. */
  findingsPath?: string | undefined;
}

function Actions({ item, mayDelete, onUpload, onDelete }: RepositoryActions & { item: RepositoryItem }) {
  const { _id, attributes } = item;
  const navigate = useNavigate();
  return (
    <>
      <Button
        variant="minimal"
        size="small"
        icon={<History />}
        aria-label={t('Imports of {name}', { name: attributes.nickname })}
        title={t('Imports')}
        onClick={() => void navigate(scansOf(_id))}
      />
      <Button
        variant="minimal"
        size="small"
        icon={<Upload />}
        aria-label={t('Upload reports for {name}', { name: attributes.nickname })}
        title={t('Upload reports')}
        onClick={() => onUpload(item)}
      />
      {mayDelete && (
        <Button
          variant="minimal"
          size="small"
          icon={<Trash />}
          aria-label={t('Delete {name}', { name: attributes.nickname })}
          title={t('Delete')}
          onClick={() => onDelete(item)}
        />
      )}
    </>
  );
}

/** Who answers for it. */
function Owner({ attributes: { owner, owner_name: name } }: RepositoryItem) {
  if (owner === null || name === null) return null;
  return (
    <span className="row owner-cell">
      <PersonAvatar id={owner} name={name} isDecorative={true} />
      <span className="trunc" title={name}>
        {name}
      </span>
    </span>
  );
}

/** More would push the name away. */
const SHOWN_TAGS = 2;

function RepositoryRow({ item, actions, findingsPath, hasSamples }: RowProps & { hasSamples: boolean }) {
  const { _id, attributes } = item;
  const state = stateOf(attributes);
  const source = sourceOf(attributes);
  return (
    <tr>
      <td className="t">
        <span className="row title-line">
          <Link
            className="ttl trunc"
            to={findingsPath === undefined ? repositoryPath(_id) : findingsOf(_id, findingsPath)}
          >
            {attributes.nickname}
          </Link>
          {hasSamples && attributes.is_sample && <span className="sig">{t('Sample')}</span>}
          {attributes.tags.slice(0, SHOWN_TAGS).map((tag) => (
            <span key={tag} className="sig trunc row-tag" title={tag}>
              {tag}
            </span>
          ))}
          {attributes.tags.length > SHOWN_TAGS && (
            <span className="sig" title={attributes.tags.slice(SHOWN_TAGS).join(', ')}>
              +{attributes.tags.length - SHOWN_TAGS}
            </span>
          )}
        </span>
        <span className="loc trunc">
          {[source, attributes.repository_branch, attributes.url].filter((part) => part !== '').join(' · ')}
        </span>
      </td>
      <td className="counts">
        <SeverityCounts repositoryId={_id} counts={attributes.counts} findingsPath={findingsPath} />
      </td>
      <td className="owner">
        <Owner {...item} />
      </td>
      <td className="when">
        {attributes.last_scan === null ? (
          <span className="muted">{t('Never')}</span>
        ) : (
          <Time value={attributes.last_scan} />
        )}
      </td>
      <td className="state">
        <StatusDot tone={state.tone}>{t(state.word)}</StatusDot>
      </td>
      <td className="acts num">{actions !== undefined && <Actions item={item} {...actions} />}</td>
    </tr>
  );
}

interface RepositoryTableProps extends Omit<RowProps, 'item'> {
  rows: readonly RepositoryItem[];
  view: RepositoryView;
  onView: OnView<RepositoryView>;
}

/** Repositories with their open findings. */
export function RepositoryTable({ rows, view, onView, ...row }: RepositoryTableProps) {
  // a mark on every row says nothing
  const hasSamples = rows.some(({ attributes }) => !attributes.is_sample);
  return (
    <table className="bw-table repositories-table">
      <colgroup>
        <col />
        <col className="col-counts" />
        <col className="col-owner" />
        <col className="col-when" />
        <col className="col-state" />
        <col className="col-acts" />
      </colgroup>
      <thead>
        <tr>
          <SortHead field="nickname" label={t('Repository')} view={view} onView={onView} />
          <th>{t('Open findings')}</th>
          <SortHead field="owner" label={t('Owner')} view={view} onView={onView} />
          <SortHead field="last_scan" label={t('Last scan')} view={view} onView={onView} />
          <th>{t('State')}</th>
          <th>
            <span className="sr">{t('Actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((item) => (
          <RepositoryRow key={item._id} item={item} hasSamples={hasSamples} {...row} />
        ))}
      </tbody>
    </table>
  );
}
