import { observer } from 'mobx-react-lite';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { can } from '../../../platform/model/permissions.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { DialogBox } from '../../../platform/ui/feedback/dialogs.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { COMMANDS } from './commands.store.ts';
import { NAVIGATION } from './navigation.store.ts';
import { SESSION } from './shell-ports.ts';

interface Line {
  id: string;
  label: string;
  kind: string;
  run: () => void;
}

const FINDING_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const matches = (label: string, query: string): boolean =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => label.toLowerCase().includes(word));

/** What the text may mean: a command of this page, a page, a finding by its id, or words to search for. */
const useLines = (query: string): Line[] => {
  const navigate = useNavigate();
  const commands = useService(COMMANDS);
  const navigation = useService(NAVIGATION);
  const managesClients = can(useService(SESSION).user?.role, 'clients.manage');
  const pages = (['work', 'organization'] as const).flatMap((group) => navigation.entriesOf(group));
  const known: Line[] = [
    ...commands.all.map((of) => ({ id: `do:${of.label}`, label: t(of.label), kind: of.key ?? '', run: of.run })),
    ...pages.map((of) => ({
      id: of.path,
      label: t('Go to {label}', { label: t(of.label) }),
      kind: '',
      run: () => void navigate(of.path),
    })),
  ];
  const text = query.trim();
  if (text === '') return known;
  const found = known.filter((line) => matches(line.label, text));
  if (managesClients) {
    const to = `/manage-clients?search=${encodeURIComponent(text)}`;
    return [
      ...found,
      { id: 'asked', label: t('Search clients for “{text}”', { text }), kind: '', run: () => void navigate(to) },
    ];
  }
  const asked = FINDING_ID.test(text)
    ? { label: t('Open finding {text}', { text }), to: `/findings/all/finding-details/${text.toLowerCase()}` }
    : { label: t('Search findings for “{text}”', { text }), to: `/findings?search=${encodeURIComponent(text)}` };
  return [...found, { id: 'asked', label: asked.label, kind: '', run: () => void navigate(asked.to) }];
};

const stepped = (key: string, active: number, count: number): number | undefined => {
  if (key === 'ArrowDown') return (active + 1) % count;
  if (key === 'ArrowUp') return (active + count - 1) % count;
  return undefined;
};

const Body = observer(function Body({ onAction }: { onAction: (run: () => void) => void }) {
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const id = useId();
  const lines = useLines(query);
  const current = lines[Math.min(active, lines.length - 1)];
  const runLine = (line: Line | undefined) => {
    if (line !== undefined) onAction(line.run);
  };
  const handleKey = (event: KeyboardEvent) => {
    const next = stepped(event.key, Math.min(active, lines.length - 1), lines.length);
    if (next !== undefined) setActive(next);
    else if (event.key === 'Enter') runLine(current);
    else return;
    event.preventDefault();
  };
  return (
    <div className="palette">
      <input
        className="bp6-input"
        type="text"
        role="combobox"
        aria-expanded={true}
        aria-controls={id}
        aria-activedescendant={current === undefined ? undefined : `${id}-${lines.indexOf(current)}`}
        aria-label={t('What to do or to find')}
        placeholder={t('Go to a page, act, or find')}
        // biome-ignore lint/a11y/noAutofocus: the palette was opened to type here
        autoFocus={true}
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={handleKey}
      />
      <div role="listbox" id={id} aria-label={t('Commands')} tabIndex={-1}>
        {lines.map((line, index) => (
          // The keys are the field's.
          // biome-ignore lint/a11y/useKeyWithClickEvents: see above
          <div
            key={line.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={line === current}
            onClick={() => runLine(line)}
          >
            <span className="trunc">{line.label}</span>
            {line.kind !== '' && <kbd>{line.kind}</kbd>}
          </div>
        ))}
      </div>
    </div>
  );
});

export interface CommandPaletteProps {
  isOpen: boolean;
  onClose: () => void;
}

/** One field for everything: pages, what can be done here, findings. */
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
