import { Button } from '@blueprintjs/core';
import { CaretDown } from '@blueprintjs/icons';
import { useState } from 'react';
import { Popup } from '../popups/popup.tsx';
import { OptionList, type SelectOption } from './option-list.tsx';

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
  /** The button keeps its label while something is chosen, where chips say what. */
  isLabelFixed?: boolean;
}

const toggled = (selected: readonly string[], value: string): string[] =>
  selected.includes(value) ? selected.filter((other) => other !== value) : [...selected, value];

/** Chooses one or several of a list, with search: a button that opens an `OptionList`. */
export function OptionSelect(props: OptionSelectProps) {
  const { label, options, selected, onChange, isMultiple = false, isFilterable = true, isDisabled = false } = props;
  const [isOpen, setIsOpen] = useState(false);
  const chosen = props.isLabelFixed ? [] : options.filter((option) => selected.includes(option.value));
  const text = chosen.length === 0 ? label : chosen.map((option) => option.label).join(', ');
  const handlePick = (value: string) => {
    onChange(isMultiple ? toggled(selected, value) : [value]);
    if (!isMultiple) setIsOpen(false);
  };
  return (
    <Popup
      kind="dialog"
      isOpen={isOpen}
      onToggle={setIsOpen}
      isFilled={props.isFilled ?? false}
      placement="bottom-start"
      className="select-popover"
      content={
        <div role="dialog" aria-label={label}>
          <OptionList
            label={label}
            options={options}
            selected={selected}
            onPick={handlePick}
            isMultiple={isMultiple}
            isFilterable={isFilterable}
            hasFocus={true}
          />
        </div>
      }
    >
      <Button
        text={text}
        endIcon={<CaretDown aria-hidden={true} />}
        aria-label={chosen.length === 0 ? label : `${label}: ${text}`}
        disabled={isDisabled}
        fill={props.isFilled ?? false}
        alignText="start"
      />
    </Popup>
  );
}
