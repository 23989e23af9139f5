import { Button } from '@blueprintjs/core';
import { Search } from '@blueprintjs/icons';
import { type FormEvent, lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { can } from '../../../platform/model/permissions.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ActionDialog } from '../../../platform/ui/feedback/dialogs.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { useIsNarrow } from '../../../platform/ui/page/use-media.ts';
import { SESSION } from './shell-ports.ts';

const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** What is searched: a superadmin has clients where others have findings. */
const useWanted = () => {
  const managesClients = can(useService(SESSION).user?.role, 'clients.manage');
  const path = managesClients ? '/manage-clients' : '/findings';
  return {
    title: managesClients ? t('Search clients') : t('Search findings'),
    hint: managesClients ? t('Name or e-mail') : t('Title, path or CVE'),
    addressOf: (text: string): string => {
      const wanted = text.trim();
      return wanted === '' ? path : `${path}?search=${encodeURIComponent(wanted)}`;
    },
  };
};

interface FieldProps {
  fieldRef: RefObject<HTMLInputElement | null>;
}

function SearchField({ fieldRef }: FieldProps) {
  const navigate = useNavigate();
  const { title, addressOf } = useWanted();
  const [text, setText] = useState('');
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    navigate(addressOf(text));
    setText('');
    fieldRef.current?.blur();
  };
  return (
    <search className="search">
      <form className="bp6-input-group" onSubmit={handleSubmit}>
        <Search aria-hidden={true} />
        <input
          ref={fieldRef}
          className="bp6-input is-quiet"
          type="search"
          placeholder={title}
          aria-label={title}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <kbd>{isApple() ? '⌘ K' : 'Ctrl K'}</kbd>
      </form>
    </search>
  );
}

/** On a phone the field opens from its icon. */
function SearchButton() {
  const navigate = useNavigate();
  const { title, hint, addressOf } = useWanted();
  const [isOpen, setIsOpen] = useState(false);
  const [text, setText] = useState('');
  const handleAction = () => {
    setIsOpen(false);
    navigate(addressOf(text));
    setText('');
  };
  return (
    <>
      <Button
        variant="minimal"
        icon={<Search aria-hidden={true} />}
        aria-label={t('Search')}
        onClick={() => setIsOpen(true)}
      />
      <ActionDialog
        isOpen={isOpen}
        title={title}
        actionLabel={t('Search')}
        onAction={handleAction}
        onClose={() => setIsOpen(false)}
      >
        <input
          className="bp6-input"
          type="search"
          aria-label={hint}
          placeholder={hint}
          // The dialog was opened to type here.
          // biome-ignore lint/a11y/noAutofocus: see above
          autoFocus={true}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </ActionDialog>
    </>
  );
}

// Most visits end without it.
const LazyPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }));

/** Jumps to the findings that contain a text; Ctrl or Cmd with K opens the palette from anywhere. */
export function TopSearch() {
  const field = useRef<HTMLInputElement>(null);
  const [isOpen, setIsOpen] = useState<boolean>();
  const isNarrow = useIsNarrow();
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      setIsOpen((now) => now !== true);
    };
    window.addEventListener('keydown', handleKey);
    return () => window.removeEventListener('keydown', handleKey);
  }, []);
  return (
    <>
      {isNarrow ? <SearchButton /> : <SearchField fieldRef={field} />}
      {isOpen !== undefined && (
        <Suspense fallback={null}>
          <LazyPalette isOpen={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
