import { observer } from 'mobx-react-lite';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { DialogBox } from '../../../platform/ui/feedback/dialogs.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { PaletteStore } from './palette.store.ts';
import { usePaletteGroups } from './palette-groups.ts';
import type { PaletteGroup, PaletteLine } from './palette-lines.ts';
import { PALETTE_SOURCES } from './palette-source.ts';
import { SESSION } from './shell-ports.ts';

/** Lines that PageUp and PageDown pass over. */
const PAGE_STEP = 8;

const stepped = (key: string, active: number, count: number): number | undefined => {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return (active + 1) % count;
  if (key === 'ArrowUp') return (active + count - 1) % count;
  if (key === 'PageDown') return Math.min(active + PAGE_STEP, count - 1);
  if (key === 'PageUp') return Math.max(active - PAGE_STEP, 0);
  return undefined;
};

interface LinesProps {
  id: string;
  groups: readonly PaletteGroup[];
  current: PaletteLine | undefined;
  onRun: (line: PaletteLine) => void;
}

function Lines({ id, groups, current, onRun }: LinesProps) {
  const active = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another line is another place
  useEffect(() => {
    // a browser may answer with a promise, which is no clean-up
    active.current?.scrollIntoView?.({ block: 'nearest' });
  }, [current?.id]);
  return (
    <div role="listbox" id={id} aria-label={t('Commands')} tabIndex={-1}>
      {groups.map(({ title, lines }) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
        <div key={title} role="group" aria-label={title === '' ? undefined : title}>
          {title !== '' && (
            <div className="palette-group" aria-hidden={true}>
              {title}
            </div>
          )}
          {lines.map((line) => (
            // The keys are the field's.
            // biome-ignore lint/a11y/useKeyWithClickEvents: see above
            <div
              key={line.id}
              ref={line === current ? active : undefined}
              id={`${id}-${line.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={line === current}
              onClick={() => onRun(line)}
            >
              <span className="trunc">{line.label}</span>
              {line.detail !== undefined && <span className="palette-detail trunc">{line.detail}</span>}
              {line.hotkey !== undefined && <kbd>{line.hotkey}</kbd>}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

/** What stands below the lines while or after the server was asked. */
const statusOf = ({ isSearching, hasFailed }: PaletteStore): string => {
  if (isSearching) return t('Searching…');
  return hasFailed ? t('Not everything could be searched. Type on to try again.') : '';
};

const usePaletteStore = (): PaletteStore => {
  const api = useService(API);
  const session = useService(SESSION);
  const loadSources = useService(PALETTE_SOURCES);
  const [store] = useState(() => new PaletteStore({ api, session, loadSources }));
  useEffect(() => store.dispose, [store]);
  return store;
};

const Body = observer(function Body({ onAction }: { onAction: (run: () => void) => void }) {
  const store = usePaletteStore();
  const [query, setQuery] = useState('');
  // by its id: lines that come later do not move what is chosen
  const [activeId, setActiveId] = useState<string>();
  const id = useId();
  const groups = usePaletteGroups(query, store);
  const lines = groups.flatMap((group) => group.lines);
  const active = Math.max(
    0,
    lines.findIndex((line) => line.id === activeId),
  );
  const current = lines[active];
  const handleKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const next = stepped(event.key, active, lines.length);
    if (next !== undefined) setActiveId(lines[next]?.id);
    else if (event.key === 'Enter' && current !== undefined) onAction(current.run);
    else return;
    event.preventDefault();
  };
  const status = statusOf(store);
  return (
    <div className="palette">
      <input
        className="bp6-input"
        type="text"
        role="combobox"
        aria-expanded={true}
        aria-controls={id}
        aria-activedescendant={current === undefined ? undefined : `${id}-${current.id}`}
        aria-label={t('What to do or to find')}
        placeholder={t('Find a finding, CVE, component or person, go to a page, act')}
        maxLength={200}
        // biome-ignore lint/a11y/noAutofocus: the palette was opened to type here
        autoFocus={true}
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setActiveId(undefined);
          store.search(event.currentTarget.value);
        }}
        onKeyDown={handleKey}
      />
      <Lines id={id} groups={groups} current={current} onRun={(line) => onAction(line.run)} />
      <p className="palette-status muted small" role="status">
        {status}
      </p>
    </div>
  );
});

export interface CommandPaletteProps {
  isOpen: boolean;
  onClose: () => void;
}

/** One field for everything: acts, pages, settings, and whatever the organisation has. */
export function CommandPalette({ isOpen, onClose }: CommandPaletteProps) {
  const chosen = useRef<() => void>(undefined);
  // once the dialog has given the focus back: what runs may ask something itself
  const handleClosed = () => {
    chosen.current?.();
    chosen.current = undefined;
  };
  const handleAction = (run: () => void) => {
    chosen.current = run;
    onClose();
  };
  return (
    <DialogBox
      className="dialog palette-dialog"
      isOpen={isOpen}
      onClose={onClose}
      onClosed={handleClosed}
      aria-label={t('Commands')}
    >
      <Body onAction={handleAction} />
    </DialogBox>
  );
}
