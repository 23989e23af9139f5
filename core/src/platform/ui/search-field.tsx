import { InputGroup } from '@blueprintjs/core';
import { Search } from '@blueprintjs/icons';
import { type ReactElement, type RefObject, useEffect, useState } from 'react';

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

/** Free text that is searched for a moment after the last key. */
export function SearchField({ label, placeholder, search, onSearch, inputRef, hint }: SearchFieldProps) {
  const [text, setText] = useState(search);
  useEffect(() => setText(search), [search]);
  useEffect(() => {
    if (text.trim() === search) return undefined;
    const timer = setTimeout(() => onSearch(text.trim()), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text, search, onSearch]);
  return (
    <InputGroup
      className="q"
      {...(inputRef === undefined ? {} : { inputRef })}
      type="search"
      leftIcon={<Search />}
      placeholder={placeholder}
      aria-label={label}
      value={text}
      onValueChange={setText}
      {...(hint === undefined ? {} : { rightElement: hint })}
    />
  );
}
