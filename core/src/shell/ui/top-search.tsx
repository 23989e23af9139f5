import { Button } from '@blueprintjs/core';
import { Search } from '@blueprintjs/icons';
import { type FormEvent, lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ActDialog } from '../../platform/ui/act-dialog.tsx';

const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);

const addressOf = (text: string): string => {
  const wanted = text.trim();
  return wanted === '' ? '/findings' : `/findings?search=${encodeURIComponent(wanted)}`;
};

interface FieldProps {
  fieldRef: RefObject<HTMLInputElement | null>;
}

function SearchField({ fieldRef }: FieldProps) {
  const navigate = useNavigate();
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
          placeholder="Search findings"
          aria-label="Search findings"
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
  const [isOpen, setIsOpen] = useState(false);
  const [text, setText] = useState('');
  const handleAct = () => {
    setIsOpen(false);
    navigate(addressOf(text));
    setText('');
  };
  return (
    <span className="only-s">
      <Button
        variant="minimal"
        icon={<Search aria-hidden={true} />}
        aria-label="Search"
        onClick={() => setIsOpen(true)}
      />
      <ActDialog
        isOpen={isOpen}
        title="Search findings"
        actLabel="Search"
        onAct={handleAct}
        onClose={() => setIsOpen(false)}
      >
        <input
          className="bp6-input"
          type="search"
          aria-label="Title, path or CVE"
          placeholder="Title, path or CVE"
          // The dialog was opened to type here.
          // biome-ignore lint/a11y/noAutofocus: see above
          autoFocus={true}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </ActDialog>
    </span>
  );
}

// Most visits end without it.
const LazyPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }));

/** Jumps to the findings that contain a text; Ctrl or Cmd with K opens the palette from anywhere. */
export function TopSearch() {
  const field = useRef<HTMLInputElement>(null);
  const [isOpen, setIsOpen] = useState<boolean>();
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
      <SearchField fieldRef={field} />
      <SearchButton />
      {isOpen !== undefined && (
        <Suspense fallback={null}>
          <LazyPalette isOpen={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
