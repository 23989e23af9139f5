import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core';
import { Edit, SmallCross } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { msg } from '../../../platform/model/message.ts';
import { can } from '../../../platform/model/permissions.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { OptionSelect } from '../../../platform/ui/forms/option-select.tsx';
import { inSentence, t } from '../../../platform/ui/language/translate.ts';
import { PersonAvatar } from '../../../session/ui/index.ts';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { PeopleStore } from '../../../team/ui/index.ts';
import { DATA_CLASS_LABELS, EXPOSURE_LABELS, type Repository, SCHEDULE_LABELS } from '../parts/repository-display.tsx';
import type { Change, RepositoryStore } from './repository.store.ts';

/** Saves one field at once and says so; a refusal is told and the field goes back. */
const useSave = (store: RepositoryStore) => {
  const toasts = useService(TOASTS);
  return async (change: Change, done: string): Promise<boolean> => {
    try {
      await store.save(change);
      toasts.show(done, { tone: 'done' });
      return true;
    } catch (error) {
      toasts.showError(error);
      return false;
    }
  };
};

interface RowProps {
  label: string;
  help?: string;
  /** Id of the control. */
  of?: string;
  children: ReactNode;
}

function Row({ label, help, of, children }: RowProps) {
  return (
    <div className="setting">
      {of === undefined ? (
        <span className="setting-label">{label}</span>
      ) : (
        <label className="setting-label" htmlFor={of}>
          {label}
        </label>
      )}
      {children}
      {help !== undefined && <p className="small muted">{help}</p>}
    </div>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  help?: string;
  value: T;
  options: Readonly<Record<T, string>>;
  isDisabled: boolean;
  onChange: (value: T) => void;
}

const isKey = <T extends string>(options: Readonly<Record<T, string>>, key: string): key is T =>
  Object.hasOwn(options, key);

/** One of a few words; chosen is saved. */
function Choice<T extends string>({ label, help, value, options, isDisabled, onChange }: ChoiceProps<T>) {
  const id = useId();
  return (
    <Row label={label} of={id} {...(help === undefined ? {} : { help })}>
      <HTMLSelect
        id={id}
        fill
        disabled={isDisabled}
        value={value}
        onChange={({ currentTarget }) => {
          if (isKey(options, currentTarget.value)) onChange(currentTarget.value);
        }}
        options={Object.entries<string>(options).map(([key, text]) => ({ value: key, label: t(text) }))}
      />
    </Row>
  );
}

interface TextProps {
  /** In English. */
  label: string;
  help?: string;
  value: string;
  maxLength: number;
  mayEdit: boolean;
  onSave: (value: string) => Promise<boolean>;
}

/** A text that is read until somebody edits it. */
function EditableText({ label, help, value, maxLength, mayEdit, onSave }: TextProps) {
  const id = useId();
  const [text, setText] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const wanted = (text ?? '').trim();
    if (wanted === '' || isSaving) return;
    setIsSaving(true);
    const isSaved = wanted === value || (await onSave(wanted));
    setIsSaving(false);
    if (isSaved) setText(undefined);
  };
  if (text === undefined) {
    return (
      <Row label={t(label)} {...(help === undefined ? {} : { help })}>
        <span className="row setting-text">
          <span className="trunc" title={value}>
            {value}
          </span>
          {mayEdit && (
            <Button
              variant="minimal"
              size="small"
              icon={<Edit size={14} />}
              aria-label={t('Edit {field}', { field: inSentence(label) })}
              onClick={() => setText(value)}
            />
          )}
        </span>
      </Row>
    );
  }
  return (
    <Row label={t(label)} of={id} {...(help === undefined ? {} : { help })}>
      <form onSubmit={(event) => void handleSubmit(event)}>
        <InputGroup
          id={id}
          autoFocus
          value={text}
          maxLength={maxLength}
          onValueChange={setText}
          onKeyDown={({ key }) => {
            if (key === 'Escape') setText(undefined);
          }}
        />
        <span className="row setting-acts">
          <Button
            type="submit"
            size="small"
            intent="primary"
            text={t('Save')}
            loading={isSaving}
            disabled={text.trim() === ''}
          />
          <Button size="small" variant="minimal" text={t('Cancel')} onClick={() => setText(undefined)} />
        </span>
      </form>
    </Row>
  );
}

interface TagsProps {
  tags: readonly string[];
  known: readonly string[];
  mayEdit: boolean;
  onSave: (tags: string[], done: string) => Promise<boolean>;
}

/** Tags as chips; a new one is written below, with those of other repositories to choose from. */
function Tags({ tags, known, mayEdit, onSave }: TagsProps) {
  const id = useId();
  const [text, setText] = useState('');
  const add = async (event: FormEvent) => {
    event.preventDefault();
    const tag = text.trim();
    if (tag === '') return;
    if (tags.includes(tag) || (await onSave([...tags, tag], t('Tag {tag} added', { tag })))) setText('');
  };
  return (
    <Row label={t('Tags')} {...(mayEdit ? { of: id } : {})}>
      {tags.length > 0 && (
        <ul className="row wrap tag-list" aria-label={t('Tags')}>
          {tags.map((tag) => (
            <li key={tag} className="chip">
              <span className="trunc" title={tag}>
                {tag}
              </span>
              {mayEdit && (
                <button
                  type="button"
                  aria-label={t('Remove tag {tag}', { tag })}
                  onClick={() =>
                    void onSave(
                      tags.filter((other) => other !== tag),
                      t('Tag {tag} removed', { tag }),
                    )
                  }
                >
                  <SmallCross size={16} aria-hidden={true} />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {tags.length === 0 && !mayEdit && <span className="muted">{t('No tag')}</span>}
      {mayEdit && (
        <form className="row" onSubmit={(event) => void add(event)}>
          <InputGroup
            id={id}
            className="grow"
            placeholder={t('Add a tag')}
            list={`${id}-known`}
            maxLength={100}
            value={text}
            onValueChange={setText}
          />
          <datalist id={`${id}-known`}>
            {known
              .filter((tag) => !tags.includes(tag))
              .map((tag) => (
                <option key={tag} value={tag} />
              ))}
          </datalist>
          <Button type="submit" text={t('Add')} disabled={text.trim() === ''} />
        </form>
      )}
    </Row>
  );
}

const NOBODY = '';

interface OwnerProps {
  owner: string | null;
  mayEdit: boolean;
  onSave: (owner: string | null) => void;
}

/** Who sees it as a developer, and whom its findings concern. */
const Owner = observer(function Owner({ owner, mayEdit, onSave }: OwnerProps) {
  const api = useService(API);
  const me = useService(SESSION).user;
  const [people] = useState(() => new PeopleStore(api));
  useEffect(() => void people.loadMembers(), [people]);
  const named = people.members ?? [];
  const others =
    me === undefined || named.some(({ value }) => value === me._id)
      ? []
      : [{ value: me._id, label: t('{name} (you)', { name: me.username }) }];
  const options = [{ value: NOBODY, label: t('Nobody') }, ...named, ...others];
  const isKnown = owner === null || options.some(({ value }) => value === owner);
  const all =
    isKnown || people.members === undefined ? options : [...options, { value: owner, label: t('Another member') }];
  const name = owner === null ? t('Nobody') : (all.find(({ value }) => value === owner)?.label ?? '…');
  return (
    <Row label={t('Owner')} help={t('A developer sees the repositories they own.')}>
      {owner !== null && <PersonAvatar id={owner} name={name} isDecorative={true} />}
      {mayEdit ? (
        <OptionSelect
          label={t('Owner')}
          options={all}
          selected={[owner ?? NOBODY]}
          onChange={([chosen]) => onSave(chosen === undefined || chosen === NOBODY ? null : chosen)}
          isFilled
        />
      ) : (
        <span>{name}</span>
      )}
    </Row>
  );
});

const AS_ORGANISATION = 'organisation';
const SCHEDULES = { [AS_ORGANISATION]: msg('As the organisation'), ...SCHEDULE_LABELS };
const RESCORED = msg('Saved. The findings are being scored anew');

/** What people set of a repository, each field saved on its own. */
export const RepositorySettings = observer(function RepositorySettings(props: {
  store: RepositoryStore;
  repository: Repository;
}) {
  const { store, repository } = props;
  const save = useSave(store);
  const role = useService(SESSION).user?.role;
  const mayEdit = can(role, 'repositories.write');
  const isSaving = (field: string) => store.saving.includes(field);
  return (
    <section className="bp6-card repository-settings" aria-label={t('Settings')} id="settings">
      <h2>{t('Settings')}</h2>
      <Choice
        label={t('Exposure')}
        value={repository.exposure}
        options={EXPOSURE_LABELS}
        isDisabled={!mayEdit || isSaving('exposure')}
        onChange={(exposure) => void save({ exposure }, t(RESCORED))}
      />
      <Choice
        label={t('Data class')}
        help={t('Exposure and data class are part of the priority of every finding here.')}
        value={repository.data_class}
        options={DATA_CLASS_LABELS}
        isDisabled={!mayEdit || isSaving('data_class')}
        onChange={(data_class) => void save({ data_class }, t(RESCORED))}
      />
      <Owner owner={repository.owner} mayEdit={mayEdit} onSave={(owner) => void save({ owner }, t('Owner saved'))} />
      <Tags
        tags={repository.tags}
        known={store.knownTags}
        mayEdit={mayEdit}
        onSave={(tags, done) => save({ tags }, done)}
      />
      <Choice
        label={t('Scan schedule')}
        value={repository.schedule ?? AS_ORGANISATION}
        options={SCHEDULES}
        isDisabled={!can(role, 'settings.write') || isSaving('schedule')}
        onChange={(chosen) => void save({ schedule: chosen === AS_ORGANISATION ? null : chosen }, t('Schedule saved'))}
      />
      <EditableText
        label={msg('Name')}
        value={repository.nickname}
        maxLength={200}
        mayEdit={mayEdit}
        onSave={(nickname) => save({ nickname }, t('Name saved'))}
      />
      <EditableText
        label={msg('Default branch')}
        help={t('Lists and figures are of this branch.')}
        value={repository.repository_branch}
        maxLength={255}
        mayEdit={mayEdit}
        onSave={(repository_branch) => save({ repository_branch }, t('Default branch saved'))}
      />
    </section>
  );
});
