import { Button, type ButtonProps, InputGroup, Switch } from '@blueprintjs/core';
import { Bookmark, Home, People, Tick, Trash, User } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { type FormEvent, type ReactElement, useId, useRef, useState } from 'react';
import { msg } from '../../../platform/model/message.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { defaultView, type Filters, type FindingView, type ViewBase, viewHref } from '../data/finding-view.ts';
import { ownViews } from './own-views.ts';
import { type SavedView, type SavedViewsStore, viewOf } from './saved-views.store.ts';
import { StarButton } from './star-button.tsx';

export interface SavedViewsProps {
  views: SavedViewsStore;
  /** What the list shows. */
  view: FindingView;
  /** List whose views these are. */
  base: ViewBase;
  onView: (view: FindingView) => void;
}

const DEFAULT_NAMES: Readonly<Record<ViewBase, string>> = {
  open: msg('All open findings'),
  scm: msg('All open findings of source control'),
  cloud: msg('All open findings of clouds'),
  all: msg('All results'),
};

interface ViewButtonProps extends Pick<ButtonProps, 'text' | 'title' | 'disabled'> {
  icon: ReactElement;
  /** Shown now: a tick stands in place of the icon. */
  isActive: boolean;
  onOpen: () => Promise<void>;
}

function ViewButton({ icon, isActive, onOpen, ...props }: ViewButtonProps) {
  return (
    <Button
      className="grow"
      variant="minimal"
      alignText="start"
      fill
      icon={isActive ? <Tick /> : icon}
      aria-current={isActive ? 'true' : undefined}
      onClick={() => void onOpen()}
      {...props}
    />
  );
}

/** The way back from a saved view: the list as it begins for everybody. */
const DefaultViewLine = observer(function DefaultViewLine({ views, base, onView }: Omit<SavedViewsProps, 'view'>) {
  const isActive = views.active === undefined;
  const handleOpen = async () => {
    if (isActive || (await views.setUsed(false))) onView(defaultView(base));
  };
  return (
    <li className="row">
      <ViewButton
        icon={<Home />}
        text={t(DEFAULT_NAMES[base])}
        isActive={isActive}
        disabled={views.isBusy}
        onOpen={handleOpen}
      />
    </li>
  );
});

type OwnViewLineProps = Omit<SavedViewsProps, 'views'> & { name: string; filters: Filters };

function OwnViewLine({ name, filters, view, base, onView }: OwnViewLineProps) {
  const start = defaultView(base);
  const own = { ...start, filters: { ...start.filters, ...filters } };
  const isActive = viewHref(view, base) === viewHref(own, base);
  return (
    <li className="row">
      <ViewButton icon={<User />} text={name} isActive={isActive} onOpen={async () => onView(own)} />
    </li>
  );
}

interface SavedLineProps {
  views: SavedViewsStore;
  saved: SavedView;
}

/** Shares a view with the organisation, or stops that. */
const ShareButton = observer(function ShareButton({ views, saved }: SavedLineProps) {
  const { name, shared } = saved;
  const label = shared ? t('Stop sharing {name}', { name }) : t('Share {name} with the organisation', { name });
  return (
    <Button
      variant="minimal"
      icon={<People />}
      active={shared}
      aria-pressed={shared}
      aria-label={label}
      title={label}
      disabled={views.isBusy}
      onClick={() => void views.share(saved)}
    />
  );
});

/** Others lose a shared view with its owner: that is asked for once more. */
const ConfirmDelete = observer(function ConfirmDelete(props: SavedLineProps & { onClose: () => void }) {
  const { views, saved, onClose } = props;
  return (
    <li className="views-changed">
      <p className="small">{t('Delete “{name}” for everyone who uses it?', { name: saved.name })}</p>
      <div className="row">
        <Button intent="danger" text={t('Delete')} disabled={views.isBusy} onClick={() => void views.remove(saved)} />
        <Button variant="minimal" text={t('Cancel')} autoFocus={true} onClick={onClose} />
      </div>
    </li>
  );
});

const SavedViewLine = observer(function SavedViewLine({
  views,
  saved,
  onView,
}: SavedLineProps & Pick<SavedViewsProps, 'onView'>) {
  const [isAsking, setIsAsking] = useState(false);
  const isActive = views.active?._id === saved._id;
  const handleOpen = async () => {
    if (await views.activate(saved)) onView(viewOf(saved));
  };
  if (isAsking) return <ConfirmDelete views={views} saved={saved} onClose={() => setIsAsking(false)} />;
  const { name, own, owner, editable, shared } = saved;
  return (
    <li className="row">
      <ViewButton
        icon={shared ? <People /> : <Bookmark />}
        text={own ? name : `${name} · ${owner}`}
        title={own ? name : t('{name}, shared by {owner}', { name, owner })}
        isActive={isActive}
        disabled={views.isBusy}
        onOpen={handleOpen}
      />
      <StarButton views={views} saved={saved} />
      {editable && (
        <>
          <ShareButton views={views} saved={saved} />
          <Button
            variant="minimal"
            icon={<Trash />}
            aria-label={t('Delete the view {name}', { name })}
            title={t('Delete the view {name}', { name })}
            disabled={views.isBusy}
            onClick={() => (shared ? setIsAsking(true) : void views.remove(saved))}
          />
        </>
      )}
    </li>
  );
});

const SaveAs = observer(function SaveAs({ views, view }: Omit<SavedViewsProps, 'onView' | 'base'>) {
  const [name, setName] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const isKnown = views.hasName(name);
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '' || !(await views.save(name, view))) return;
    setName('');
    // the button is disabled now and would take the focus, and Esc, with it
    field.current?.focus();
  };
  return (
    <form onSubmit={(event) => void handleSubmit(event)}>
      <label htmlFor={id} className="small">
        {t('Save what the list shows now')}
      </label>
      <div className="row">
        <InputGroup
          id={id}
          inputRef={field}
          fill
          maxLength={100}
          placeholder={t('Name of the view')}
          autoComplete="off"
          value={name}
          onValueChange={setName}
        />
        <Button
          type="submit"
          intent="primary"
          text={isKnown ? t('Replace') : t('Save')}
          disabled={name.trim() === '' || views.isBusy}
        />
      </div>
      {isKnown && <p className="muted small">{t('There is a view of this name: it will be replaced.')}</p>}
    </form>
  );
});

/** Opens, updates, saves and deletes views. */
export const SavedViews = observer(function SavedViews({ views, view, base, onView }: SavedViewsProps) {
  const { active } = views;
  const { user } = useService(SESSION);
  return (
    <div className="views-menu">
      {active !== undefined && views.isChanged(view) && (
        <div className="views-changed">
          <p className="small">{t('The list shows something else than “{name}”.', { name: active.name })}</p>
          <div className="row">
            {active.editable && (
              <Button
                text={t('Update “{name}”', { name: active.name })}
                title={t('Update “{name}”', { name: active.name })}
                disabled={views.isBusy}
                onClick={() => void views.update(view)}
              />
            )}
            <Button variant="minimal" text={t('Go back to it')} onClick={() => onView(viewOf(active))} />
          </div>
        </div>
      )}
      <ul aria-label={t('Saved views')}>
        {views.views.length > 0 && <DefaultViewLine views={views} base={base} onView={onView} />}
        {user !== undefined &&
          ownViews(user).map((own) => <OwnViewLine key={own.name} {...own} {...{ view, base, onView }} />)}
        {views.views.map((saved) => (
          <SavedViewLine key={saved._id} views={views} saved={saved} onView={onView} />
        ))}
      </ul>
      {views.views.length === 0 && (
        <p className="muted small">{t('No saved views yet. Set filters, then save them under a name.')}</p>
      )}
      <SaveAs views={views} view={view} />
      {views.views.length > 0 && (
        <Switch
          checked={views.isUsed}
          disabled={views.isBusy}
          label={t('Open the list with the active view')}
          onChange={(event) => void views.setUsed(event.currentTarget.checked)}
        />
      )}
    </div>
  );
});
