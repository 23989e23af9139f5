import { Error as ErrorIcon } from '@blueprintjs/icons';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Link } from 'react-router-dom';
import type { NextStep } from '../feedback/next-step.ts';

/** What the control inside a field needs, to be tied to its label and texts. */
export interface FieldControl {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
  className: string;
}

interface FormFieldProps {
  label: string;
  /** Id of the control, when something outside links to it (the error summary). */
  id?: string;
  /** Right of the label: "Forgot password". */
  aside?: ReactNode;
  help?: ReactNode;
  error?: string | undefined;
  children: (control: FieldControl) => ReactNode;
}

/** Label over field, help under, error beside; input is kept. */
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

export interface FormIssue {
  message: string;
  /** Id of the control that it is about; none for the whole form. */
  fieldId?: string;
  /** Where to go on. */
  link?: NextStep | undefined;
}

interface FormSummaryProps {
  /** New objects for every failed attempt: the focus comes here each time, but not when one error of many is mended. */
  issues: readonly FormIssue[];
}

/** Every error of a form in one place on top; takes the focus and links to the fields. */
export function FormSummary({ issues }: FormSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const known = useRef<readonly FormIssue[]>([]);
  useEffect(() => {
    if (issues.some((issue) => !known.current.includes(issue))) box.current?.focus();
    known.current = issues;
  }, [issues]);
  if (issues.length === 0) return null;
  return (
    <div className="bp6-callout callout-bad form-summary" role="alert" tabIndex={-1} ref={box}>
      <ErrorIcon size={16} aria-hidden={true} />
      <ul>
        {issues.map(({ message, fieldId, link }) => (
          <li key={`${fieldId ?? ''}:${message}`}>
            {fieldId === undefined ? (
              message
            ) : (
              <a
                href={`#${fieldId}`}
                onClick={(event) => {
                  event.preventDefault();
                  document.getElementById(fieldId)?.focus();
                }}
              >
                {message}
              </a>
            )}
            {link !== undefined && <Link to={link.to}> {link.label}</Link>}
          </li>
        ))}
      </ul>
    </div>
  );
}
