import { Button, Menu, MenuItem } from '@blueprintjs/core';
import { CaretDown } from '@blueprintjs/icons';
import { type ItemListRendererProps, type ItemRendererProps, Select } from '@blueprintjs/select';
import type { ReactElement, ReactNode } from 'react';
import { formatNumber } from './number-format.ts';

export interface SelectOption {
  value: string;
  label: string;
  /** How many rows it stands for, at the right. */
  count?: number;
  icon?: ReactElement;
}

export interface OptionSelectProps {
  /** Names the control: "Severity". Also the button's text while nothing is chosen. */
  label: string;
  options: readonly SelectOption[];
  selected: readonly string[];
  onChange: (selected: string[]) => void;
  /** Several may be chosen; the list then stays open. */
  isMultiple?: boolean;
  /** A search field on top; for lists longer than a glance. */
  isFilterable?: boolean;
  isDisabled?: boolean;
  isFilled?: boolean;
  /** Another trigger than the button with the label. */
  children?: ReactNode;
}

const includes = (text: string, query: string): boolean => text.toLowerCase().includes(query.trim().toLowerCase());

/** Texts: specification §9 "Select empty-state texts". */
const renderList = (props: ItemListRendererProps<SelectOption>, label: string) => {
  const emptyText = props.items.length === 0 && props.query === '' ? 'No options.' : 'No results for the query';
  return (
    <Menu role="listbox" aria-label={label} ulRef={props.itemsParentRef}>
      {props.filteredItems.length === 0 ? (
        <MenuItem disabled={true} text={emptyText} roleStructure="listoption" />
      ) : (
        props.filteredItems.map(props.renderItem)
      )}
    </Menu>
  );
};

const renderOption = (option: SelectOption, props: ItemRendererProps, isSelected: boolean, isMultiple: boolean) =>
  props.modifiers.matchesPredicate ? (
    <MenuItem
      key={option.value}
      ref={props.ref}
      active={props.modifiers.active}
      icon={option.icon}
      label={option.count === undefined ? '' : formatNumber(option.count)}
      text={option.label}
      roleStructure="listoption"
      selected={isSelected}
      shouldDismissPopover={!isMultiple}
      onClick={props.handleClick}
      onFocus={() => props.handleFocus?.()}
    />
  ) : null;

const toggled = (selected: readonly string[], value: string): string[] =>
  selected.includes(value) ? selected.filter((other) => other !== value) : [...selected, value];

/** Chooses one or several of a list, with search. Wraps Blueprint's Select so that its texts are the same everywhere. */
export function OptionSelect(props: OptionSelectProps) {
  const { label, options, selected, onChange, isMultiple = false, isFilterable = true, isDisabled = false } = props;
  const chosen = options.filter((option) => selected.includes(option.value));
  const text = chosen.length === 0 ? label : chosen.map((option) => option.label).join(', ');
  return (
    <Select<SelectOption>
      items={[...options]}
      itemListRenderer={(listProps) => renderList(listProps, label)}
      itemPredicate={(query, option) => includes(option.label, query)}
      itemRenderer={(option, itemProps) => renderOption(option, itemProps, selected.includes(option.value), isMultiple)}
      onItemSelect={(option) => onChange(isMultiple ? toggled(selected, option.value) : [option.value])}
      filterable={isFilterable}
      resetOnClose={true}
      disabled={isDisabled}
      fill={props.isFilled ?? false}
      inputProps={{ placeholder: 'Search...', 'aria-label': `Search ${label}` }}
      popoverTargetProps={{ 'aria-label': label }}
      popoverProps={{ minimal: true, placement: 'bottom-start', popoverClassName: 'select-popover' }}
    >
      {props.children ?? (
        <Button
          text={text}
          endIcon={<CaretDown aria-hidden={true} />}
          aria-label={chosen.length === 0 ? label : `${label}: ${text}`}
          disabled={isDisabled}
          fill={props.isFilled ?? false}
          alignText="start"
        />
      )}
    </Select>
  );
}
