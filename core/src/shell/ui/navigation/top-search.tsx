import { Button } from '@blueprintjs/core';
import { Search } from '@blueprintjs/icons';
import { type FormEvent, lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { t } from '../../../platform/ui/language/translate.ts';
import { useIsNarrow } from '../../../platform/ui/page/use-media.ts';
import { useSearchTarget } from './search-target.ts';

const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);

interface FieldProps {
  fieldRef: RefObject<HTMLInputElement | null>;
}

function SearchField({ fieldRef }: FieldProps) {
  const navigate = useNavigate();
  const { title, addressOf } = useSearchTarget();
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

// A phone has no room for the field, and most visits no need of it.
const LazySearchDialog = lazy(async () => ({ default: (await import('./search-dialog.tsx')).SearchDialog }));

/** On a phone the field opens from its icon. */
function SearchButton() {
  const [isOpen, setIsOpen] = useState<boolean>();
  return (
    <>
      <Button
        variant="minimal"
        icon={<Search aria-hidden={true} />}
        aria-label={t('Search')}
        onClick={() => setIsOpen(true)}
      />
      {isOpen !== undefined && (
        <Suspense fallback={null}>
          <LazySearchDialog isOpen={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
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
