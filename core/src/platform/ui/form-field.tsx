import { Error as ErrorIcon } from '@blueprintjs/icons';
import { type ReactNode, useId } from 'react';

/** What the control inside a field needs, to be tied to its label and texts. */
export interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
  className: string;
}

export interface FormFieldProps {
  label: string;
  /** Id of the control, when something outside links to it (the error summary). */
  id?: string;
  /** Right of the label: "Forgot password". */
  aside?: ReactNode;
  help?: ReactNode;
  error?: string | undefined;
  children: (control: FieldControl) => ReactNode;
}

/** Label over field, help under, fault beside; input is kept. */
export function FormField({ label, id, aside, help, error, children }: FormFieldProps) {
  const ownId = useId();
  const controlId = id ?? ownId;
  const helpId = `${controlId}-help`;
  const errorId = `${controlId}-error`;
  const describedBy = [error === undefined ? '' : errorId, help === undefined ? '' : helpId].filter(Boolean).join(' ');
  return (
    <div className="bp6-form-group">
      <div className="row field-head">
        <label className="bp6-label" htmlFor={controlId}>
          {label}
        </label>
        {aside}
      </div>
      {children({
        id: controlId,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
        'aria-invalid': error === undefined ? undefined : true,
        className: error === undefined ? 'bp6-input' : 'bp6-input is-err',
      })}
      {error !== undefined && (
        <p className="err" id={errorId}>
          <ErrorIcon size={12} aria-hidden={true} />
          {error}
        </p>
      )}
      {help !== undefined && (
        <div className="bp6-form-helper-text" id={helpId}>
          {help}
        </div>
      )}
    </div>
  );
}
