import { Classes, InputGroup } from '@blueprintjs/core';
import { Search, SmallTick } from '@blueprintjs/icons';
import { type KeyboardEvent, type ReactElement, useEffect, useId, useRef, useState } from 'react';
import { formatNumber } from '../display/formats.ts';
import { t } from '../language/translate.ts';

export interface SelectOption {
  value: string;
  label: string;
  /** How many rows it stands for, at the right. */
  count?: number;
  icon?: ReactElement;
}

export interface OptionListProps {
  /** Names the list: "Severity". */
  label: string;
  options: readonly SelectOption[];
  selected: readonly string[];
  /** The option that was picked; whether that chooses or takes back is the caller's matter. */
  onPick: (value: string) => void;
  isMultiple?: boolean;
  /** A search field on top; for lists longer than a glance. */
  isFilterable?: boolean;
  /** Takes the focus when it appears, as in a popover. */
  hasFocus?: boolean;
}

/** More lines than anybody scrolls through; the search reaches the rest. */
const MAX_SHOWN = 200;
const PAGE_STEP = 10;

const matches = (option: SelectOption, query: string): boolean =>
  option.label.toLowerCase().includes(query.trim().toLowerCase());

/** Where a key moves the highlighted line, or undefined for a key that moves nothing. */
const movedTo = (key: string, active: number, count: number, hasField: boolean): number | undefined => {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return (active + 1) % count;
  if (key === 'ArrowUp') return (active + count - 1) % count;
  if (key === 'PageDown') return Math.min(active + PAGE_STEP, count - 1);
  if (key === 'PageUp') return Math.max(active - PAGE_STEP, 0);
  // In a text field these two belong to the text.
  if (hasField) return undefined;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
};

interface OptionLineProps {
  id: string;
  option: SelectOption;
  isActive: boolean;
  isSelected: boolean;
  onPick: () => void;
}

function OptionLine({ id, option, isActive, isSelected, onPick }: OptionLineProps) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Only while somebody moves through this list: on a page with several, none may pull the page to itself.
    const isInUse = line.current?.closest('.option-list')?.contains(document.activeElement) ?? false;
    if (isActive && isInUse) line.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isActive]);
  const states = `${isActive ? Classes.ACTIVE : ''} ${isSelected ? Classes.SELECTED : ''}`;
  return (
    // Keys are read where the focus is: in the field, or on the list.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the focus never lies on a line
    <div
      ref={line}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      className={`${Classes.MENU_ITEM} ${Classes.MENU_ITEM_IS_SELECTABLE} ${states}`}
      // The field keeps the focus, so that the next letter still searches.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPick}
    >
      {isSelected && <SmallTick aria-hidden={true} className={Classes.MENU_ITEM_SELECTED_ICON} />}
      {option.icon !== undefined && <span className={Classes.MENU_ITEM_ICON}>{option.icon}</span>}
      <span className={`${Classes.FILL} ${Classes.TEXT_OVERFLOW_ELLIPSIS}`} title={option.label}>
        {option.label}
      </span>
      {option.count !== undefined && <span className={Classes.MENU_ITEM_LABEL}>{formatNumber(option.count)}</span>}
    </div>
  );
}

/** The lines that fit the query, which of them is highlighted, and what the keys do. */
function useOptionLines({ options, onPick, isFilterable = true }: OptionListProps) {
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const found = options.filter((option) => matches(option, query));
  const shown = found.slice(0, MAX_SHOWN);
  const handleKey = (event: KeyboardEvent) => {
    const next = movedTo(event.key, active, shown.length, isFilterable);
    const current = shown[active];
    const picks = event.key === 'Enter' || (event.key === ' ' && !isFilterable);
    if (next !== undefined) setActive(next);
    else if (picks && current !== undefined) onPick(current.value);
    else if (!picks) return;
    event.preventDefault();
  };
  const handleQuery = (text: string) => {
    setQuery(text);
    setActive(0);
  };
  return { query, handleQuery, active: Math.min(active, Math.max(shown.length - 1, 0)), found, shown, handleKey };
}

/**
 * Options to choose from, with a search: a text field with the role of a combobox over a listbox, as the ARIA practices have it.
 * The focus stays in the field, the arrows move the highlighted line. Texts: specification §9 "Select empty-state texts".
 */
export function OptionList(props: OptionListProps) {
  const { label, options, selected, onPick, isMultiple = false, isFilterable = true, hasFocus = false } = props;
  const { query, handleQuery, active, found, shown, handleKey } = useOptionLines(props);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (hasFocus) (field.current ?? list.current)?.focus({ preventScroll: true });
  }, [hasFocus]);
  const hasLines = shown.length > 0;
  const highlighted = hasLines ? { 'aria-activedescendant': `${id}-${active}` } : {};
  return (
    <div className="option-list">
      {isFilterable && (
        <InputGroup
          inputRef={field}
          role="combobox"
          aria-label={t('Search {label}', { label })}
          aria-autocomplete="list"
          aria-expanded={hasLines}
          {...(hasLines ? { 'aria-controls': id } : {})}
          {...highlighted}
          autoComplete="off"
          spellCheck={false}
          leftIcon={<Search />}
          placeholder={t('Search...')}
          value={query}
          onValueChange={handleQuery}
          onKeyDown={handleKey}
        />
      )}
      {hasLines && (
        <div
          ref={list}
          id={id}
          role="listbox"
          aria-label={label}
          aria-multiselectable={isMultiple}
          className={Classes.MENU}
          {...(isFilterable ? {} : { tabIndex: 0, onKeyDown: handleKey, ...highlighted })}
        >
          {shown.map((option, index) => (
            <OptionLine
              key={option.value}
              id={`${id}-${index}`}
              option={option}
              isActive={index === active}
              isSelected={selected.includes(option.value)}
              onPick={() => onPick(option.value)}
            />
          ))}
        </div>
      )}
      <p className="muted small" role="status">
        {!hasLines && (options.length === 0 ? t('No options.') : t('No results for the query'))}
        {found.length > MAX_SHOWN &&
          t('The first {shown} of {total}. Search for the others.', { shown: MAX_SHOWN, total: found.length })}
      </p>
    </div>
  );
}
