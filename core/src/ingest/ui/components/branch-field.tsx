import { InputGroup } from '@blueprintjs/core';
import { FormField } from '../../../platform/ui/form-field.tsx';

export interface BranchFieldProps {
  value: string;
  isDisabled: boolean;
  onChange: (branch: string) => void;
}

/** Which branch the reports are of. Nothing is the default branch. */
export function BranchField({ value, isDisabled, onChange }: BranchFieldProps) {
  return (
    <FormField
      label="Branch"
      help="Empty for the default branch. Lists show another branch only where you filter by it."
    >
      {(control) => (
        <InputGroup
          id={control.id}
          aria-describedby={control['aria-describedby']}
          value={value}
          disabled={isDisabled}
          maxLength={255}
          placeholder="Default branch"
          spellCheck={false}
          autoCapitalize="off"
          onValueChange={onChange}
        />
      )}
    </FormField>
  );
}
