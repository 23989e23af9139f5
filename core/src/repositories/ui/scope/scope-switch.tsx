import { Button } from '@blueprintjs/core';
import { CaretDown, GitRepo, Office, SmallCross, Tag } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { API, type ApiClient } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { OptionList, type SelectOption } from '../../../platform/ui/forms/option-list.tsx';
import { SearchField } from '../../../platform/ui/forms/search-field.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { Popup } from '../../../platform/ui/popups/popup.tsx';
import { COMMANDS } from '../../../shell/ui/navigation/commands.store.ts';
import { NAVIGATION } from '../../../shell/ui/navigation/navigation.store.ts';
import { SCOPE, type Scope } from '../../../shell/ui/navigation/scope.store.ts';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { listRepositoryTags } from '../../api/routes.ts';
import { searchRepositories } from '../index.ts';
import { addressIn, isInScope } from './scoped-address.ts';
import './scope-switch.css';

/** Value of the option that leaves the scope; ids and tags are written with their kind before them. */
const ALL = '';
const keyOf = ({ kind, value }: Pick<Scope, 'kind' | 'value'>): string => `${kind}:${value}`;

const holds = (text: string, words: string): boolean => text.toLowerCase().includes(words.trim().toLowerCase());

/** Repositories and tags that have these words. @throws ApiError */
const findScopes = async (api: ApiClient, words: string, signal: AbortSignal): Promise<Scope[]> => {
  const [repositories, { data: tags }] = await Promise.all([
    searchRepositories(api, words.trim(), signal),
    api.call(listRepositoryTags, { signal }),
  ]);
  return [
    ...repositories.map(({ _id, attributes }) => ({
      kind: 'repository' as const,
      value: _id,
      label: attributes.nickname,
    })),
    ...tags.filter(({ _id }) => holds(_id, words)).map(({ _id }) => ({ kind: 'tag' as const, value: _id, label: _id })),
  ];
};

interface ScopeOptionsProps {
  current: Scope | undefined;
  onPick: (scope: Scope | undefined) => void;
}

/** What can be chosen: all, a repository, a tag. */
function ScopeOptions({ current, onPick }: ScopeOptionsProps) {
  const api = useService(API);
  const [words, setWords] = useState('');
  const [found, setFound] = useState<readonly Scope[]>();
  useEffect(() => {
    const abort = new AbortController();
    void findScopes(api, words, abort.signal).then(
      (scopes) => !abort.signal.aborted && setFound(scopes),
      () => !abort.signal.aborted && setFound([]),
    );
    return () => abort.abort();
  }, [api, words]);
  const options: SelectOption[] = (found ?? []).map((scope) => ({
    value: keyOf(scope),
    label: scope.label,
    icon: scope.kind === 'tag' ? <Tag aria-hidden={true} /> : <GitRepo aria-hidden={true} />,
  }));
  if (words === '') options.unshift({ value: ALL, label: t('All repositories'), icon: <Office aria-hidden={true} /> });
  return (
    <div role="dialog" aria-label={t('Scope')} className="scope-options">
      <SearchField
        label={t('Search repositories and tags')}
        placeholder={t('Search...')}
        search={words}
        onSearch={setWords}
      />
      {found === undefined ? (
        <SkeletonRows rows={3} rowHeight={30} label={t('Repositories and tags')} />
      ) : (
        <OptionList
          label={t('Scope')}
          options={options}
          selected={[current === undefined ? ALL : keyOf(current)]}
          isFilterable={false}
          hasFocus={words === ''}
          onPick={(value) => onPick(found.find((scope) => keyOf(scope) === value))}
        />
      )}
    </div>
  );
}

/** The same acts in the palette. */
const useScopeCommands = (
  isScoped: boolean,
  onOpen: (isOpen: boolean) => void,
  onChoose: (scope: Scope | undefined) => void,
): void => {
  const commands = useService(COMMANDS);
  useEffect(() => {
    const open = { label: t('Choose the scope: a repository or a tag'), run: () => onOpen(true) };
    const leave = { label: t('Show all repositories'), run: () => onChoose(undefined) };
    return commands.register(isScoped ? [open, leave] : [open]);
  }, [commands, isScoped, onOpen, onChoose]);
};

/** What lists are about, at the left of the top bar: the organisation, one repository, or the repositories with a tag. */
export const ScopeSwitch = observer(function ScopeSwitch() {
  const scope = useService(SCOPE);
  const navigation = useService(NAVIGATION);
  const { organizationName = '' } = useService(SESSION);
  const location = useLocation();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const { current } = scope;
  const entries = navigation.entriesOf('work');
  const chosenAt = useRef<string>(undefined);
  useEffect(() => {
    // the address of a choice comes after it
    if (chosenAt.current === location.key) return;
    // somebody took the filter away, or followed an address without it
    if (current !== undefined && isInScope(location, current, entries) === false) scope.clear();
  }, [scope, current, location, entries]);
  const choose = useCallback(
    (chosen: Scope | undefined) => {
      setIsOpen(false);
      chosenAt.current = location.key;
      scope.choose(chosen);
      const address = addressIn(location, chosen, entries);
      if (address !== undefined) void navigate(address);
    },
    [scope, location, navigate, entries],
  );
  useScopeCommands(current !== undefined, setIsOpen, choose);
  const label = current?.label ?? organizationName;
  return (
    <span className="row scope-switch">
      <Popup
        kind="dialog"
        placement="bottom-start"
        className="select-popover"
        isOpen={isOpen}
        onToggle={setIsOpen}
        content={<ScopeOptions current={current} onPick={choose} />}
      >
        <Button
          variant="minimal"
          className={current === undefined ? '' : 'is-scoped'}
          icon={current === undefined ? <Office aria-hidden={true} /> : <ScopeIcon kind={current.kind} />}
          endIcon={<CaretDown aria-hidden={true} />}
          aria-label={t('Scope: {name}', { name: label })}
          title={label}
        >
          <span className="trunc">{label}</span>
        </Button>
      </Popup>
      {current !== undefined && (
        <Button
          variant="minimal"
          icon={<SmallCross aria-hidden={true} />}
          aria-label={t('Show all repositories')}
          title={t('Show all repositories')}
          onClick={() => choose(undefined)}
        />
      )}
    </span>
  );
});

function ScopeIcon({ kind }: Pick<Scope, 'kind'>) {
  return kind === 'tag' ? <Tag aria-hidden={true} /> : <GitRepo aria-hidden={true} />;
}
