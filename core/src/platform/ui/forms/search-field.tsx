import { Search } from '@blueprintjs/icons';
import { type ReactElement, type RefObject, useEffect, useRef, useState } from 'react';

/** While somebody types the address must not grow a history entry per letter. */
const SEARCH_DELAY_MS = 250;

export interface SearchFieldProps {
  label: string;
  placeholder: string;
  search: string;
  onSearch: (search: string) => void;
  inputRef?: RefObject<HTMLInputElement | null>;
  hint?: ReactElement;
}

/** Free text that is searched for a moment after the last key, or at once when the field is left: what follows is done to the answer. */
export function SearchField({ label, placeholder, search, onSearch, inputRef, hint }: SearchFieldProps) {
  const [text, setText] = useState(search);
  const sent = useRef(search);
  // what this field sent itself may come back after the next letters were typed: they stay
  useEffect(() => {
    if (search !== sent.current) setText(search);
    sent.current = search;
  }, [search]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (text.trim() === search) return undefined;
    timer.current = setTimeout(() => {
      sent.current = text.trim();
      onSearch(text.trim());
    }, SEARCH_DELAY_MS);
    return () => clearTimeout(timer.current);
  }, [text, search, onSearch]);
  const searchNow = () => {
    clearTimeout(timer.current);
    if (text.trim() === search) return;
    sent.current = text.trim();
    onSearch(text.trim());
  };
  return (
    // by hand as in the top bar: InputGroup measures itself and is drawn twice, which the first look waits for
    <div className="bp6-input-group q">
      <Search aria-hidden={true} />
      <input
        {...(inputRef === undefined ? {} : { ref: inputRef })}
        type="search"
        className="bp6-input"
        placeholder={placeholder}
        aria-label={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={searchNow}
      />
      {hint}
    </div>
  );
}
