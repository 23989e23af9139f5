import { Button, Checkbox, Spinner, Switch } from '@blueprintjs/core';
import { CaretDown, GitRepo, Search } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { StatusDot } from '../../../platform/ui/display/badges.tsx';
import { EmptyState, ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { OptionList } from '../../../platform/ui/forms/option-list.tsx';
import { SearchField } from '../../../platform/ui/forms/search-field.tsx';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { Pager } from '../../../platform/ui/page/page-layout.tsx';
import { Popup } from '../../../platform/ui/popups/popup.tsx';
import { repositoryPath } from '../parts/repository-display.tsx';
import { type ImportStore, isSelectable, type ProviderRow } from './import.store.ts';

const PAGE_SIZE = 100;

interface StoreProps {
  store: ImportStore;
}

const BranchOptions = observer(function BranchOptions({ store, row, onDone }: RowProps & { onDone: () => void }) {
  const list = store.branches.get(row._id);
  if (list === undefined || list === 'loading') {
    return <Spinner className="branch-wait" size={16} aria-label={t('The branches are being read')} />;
  }
  return (
    <>
      {list.problem !== undefined && (
        <p className="small err" role="alert">
          {t(list.problem)}
        </p>
      )}
      <OptionList
        label={t('Branches of {name}', { name: row.attributes.name })}
        options={list.names.map((name) => ({ value: name, label: name }))}
        selected={[store.branchOf(row)]}
        onPick={(branch) => {
          store.chooseBranch(row._id, branch);
          onDone();
        }}
        hasFocus
      />
    </>
  );
});

interface RowProps extends StoreProps {
  row: ProviderRow;
}

/** The branch that will be the default one here; the others are read when somebody asks. */
const BranchPicker = observer(function BranchPicker({ store, row }: RowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const branch = store.branchOf(row);
  const open = (opens: boolean) => {
    setIsOpen(opens);
    if (opens) void store.loadBranches(row._id);
  };
  return (
    <Popup
      kind="dialog"
      isOpen={isOpen}
      onToggle={open}
      placement="bottom-start"
      className="select-popover"
      content={
        <div role="dialog" aria-label={t('Branch of {name}', { name: row.attributes.name })}>
          <BranchOptions store={store} row={row} onDone={() => setIsOpen(false)} />
        </div>
      }
    >
      <Button
        className="branch-button"
        variant="minimal"
        size="small"
        text={branch}
        title={branch}
        endIcon={<CaretDown aria-hidden={true} />}
        aria-label={t('Branch of {name}: {branch}', { name: row.attributes.name, branch })}
      />
    </Popup>
  );
});

function RowState({ attributes }: ProviderRow) {
  const { repository_id, problem } = attributes;
  if (repository_id !== null) {
    return (
      <Link to={repositoryPath(repository_id)}>
        <StatusDot tone="ok">{t('Imported')}</StatusDot>
      </Link>
    );
  }
  if (problem === null) return <span className="muted">{t('New')}</span>;
  return (
    <span title={t(problem)}>
      <StatusDot tone="bad">{t('Cannot be imported')}</StatusDot>
      <span className="small muted row-problem">{t(problem)}</span>
    </span>
  );
}

const Row = observer(function Row({ store, row }: RowProps) {
  const { _id, attributes } = row;
  const isOpen = isSelectable(attributes);
  const isSelected = store.selected.has(_id);
  return (
    <tr className={isSelected ? 'sel' : undefined}>
      <td className="c">
        <Checkbox
          aria-label={t('Select {name}', { name: attributes.name })}
          checked={isSelected}
          disabled={!isOpen || store.run?.isRunning === true}
          onChange={() => store.toggle(_id)}
        />
      </td>
      <td className="t">
        <span className="row title-line">
          {attributes.web_url === '' ? (
            <span className="ttl trunc" title={attributes.name}>
              {attributes.name}
            </span>
          ) : (
            <a
              className="ttl trunc"
              href={attributes.web_url}
              title={attributes.name}
              target="_blank"
              rel="noreferrer noopener"
            >
              {attributes.name}
            </a>
          )}
          {attributes.is_private === true && <span className="sig">{t('Private')}</span>}
          {attributes.is_archived && <span className="sig">{t('Archived')}</span>}
        </span>
      </td>
      <td className="branch">
        {isOpen ? (
          <BranchPicker store={store} row={row} />
        ) : (
          <span className="muted">{attributes.default_branch ?? ''}</span>
        )}
      </td>
      <td className="state">
        <RowState {...row} />
      </td>
    </tr>
  );
});

/** How many there are to select is said where there are any. */
const selectAllLabel = ({ selectable }: StoreProps['store']): string =>
  selectable.length === 0 ? t('Select all') : t('Select all {count}', { count: selectable.length });

const Bar = observer(function Bar({ store }: StoreProps) {
  const { rows = [], matching, search, hidesImported } = store;
  const imported = rows.filter(({ attributes }) => attributes.repository_id !== null).length;
  return (
    <search className="fbar">
      <SearchField
        label={t('Search repositories')}
        placeholder={t('Search name')}
        search={search}
        onSearch={store.setSearch}
      />
      <Button
        className="select-all"
        variant="minimal"
        text={store.isAllSelected ? t('Select none') : selectAllLabel(store)}
        disabled={store.selectable.length === 0 || store.run?.isRunning === true}
        onClick={store.toggleAll}
      />
      <Switch
        className="hide-imported"
        label={t('Hide imported')}
        checked={hidesImported}
        onChange={({ currentTarget }) => store.setHidesImported(currentTarget.checked)}
      />
      <span className="fcount" role="status">
        {search === '' && !hidesImported
          ? plural(rows.length, '{count} repository', '{count} repositories')
          : plural(rows.length, '{shown} of {count} repository', '{shown} of {count} repositories', {
              shown: matching.length,
            })}
        {imported > 0 && t(', {count} imported', { count: imported })}
      </span>
      <Pager page={store.page} pageSize={PAGE_SIZE} total={matching.length} onPage={store.setPage} />
    </search>
  );
});

const Table = observer(function Table({ store }: StoreProps) {
  const { matching, page } = store;
  const isSome = store.selectable.some(({ _id }) => store.selected.has(_id));
  if (matching.length === 0) {
    return (
      <EmptyState
        icon={<Search size={20} />}
        title={t('No repository matches')}
        actions={
          <Button
            text={t('Show all')}
            onClick={() => {
              store.setSearch('');
              store.setHidesImported(false);
            }}
          />
        }
      />
    );
  }
  return (
    <div className="list-scroll">
      <table className="bw-table dense import-table">
        <colgroup>
          <col className="col-c" />
          <col />
          <col className="col-branch" />
          <col className="col-state" />
        </colgroup>
        <thead>
          <tr>
            <th>
              <Checkbox
                aria-label={selectAllLabel(store)}
                checked={store.isAllSelected}
                indeterminate={isSome && !store.isAllSelected}
                disabled={store.selectable.length === 0 || store.run?.isRunning === true}
                onChange={store.toggleAll}
              />
            </th>
            <th>{t('Repository')}</th>
            <th>{t('Default branch')}</th>
            <th>{t('State')}</th>
          </tr>
        </thead>
        <tbody>
          {matching.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE).map((row) => (
            <Row key={row._id} store={store} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
});

/** Repositories that the connection sees: searched, chosen with their branches. */
export const ProviderList = observer(function ProviderList({ store }: StoreProps) {
  const { rows, error, problem } = store;
  const title = store.current?.attributes.title ?? '';
  if (error !== undefined) {
    // Source: specification §8 "Repository fetch failure"
    return (
      <ErrorState
        title={t('Failed to get repositories {name}', { name: title })}
        error={error}
        onRetry={() => void store.loadRows()}
      />
    );
  }
  if (rows === undefined)
    return <SkeletonRows rows={8} rowHeight={36} label={t('Repositories of {name}', { name: title })} />;
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={<GitRepo size={20} />}
        title={t('{name} lists no repository', { name: title })}
        actions={<Button text={t('Read again')} onClick={() => void store.loadRows()} />}
      >
        {t('The account that is connected may see none. Check what it is allowed to read.')}
      </EmptyState>
    );
  }
  return (
    <>
      {problem !== undefined && (
        <p className="bp6-callout callout-n import-note" role="status">
          {t(problem)}{' '}
          <button type="button" className="link" onClick={() => void store.loadRows()}>
            {t('Read again')}
          </button>
        </p>
      )}
      <Bar store={store} />
      <div className="list-body">
        <Table store={store} />
      </div>
    </>
  );
});
