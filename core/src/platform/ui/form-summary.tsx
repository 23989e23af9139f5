import { Error as ErrorIcon } from '@blueprintjs/icons';
import { useEffect, useRef } from 'react';

export interface FormIssue {
  message: string;
  /** Id of the control that it is about; none for the whole form. */
  fieldId?: string;
}

export interface FormSummaryProps {
  /** New objects for every failed attempt: the focus comes here each time, but not when one fault of many is mended. */
  faults: readonly FormIssue[];
}

/** Every fault of a form in one place on top; takes the focus and links to the fields. */
export function FormSummary({ faults }: FormSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const known = useRef<readonly FormIssue[]>([]);
  useEffect(() => {
    if (faults.some((fault) => !known.current.includes(fault))) box.current?.focus();
    known.current = faults;
  }, [faults]);
  if (faults.length === 0) return null;
  return (
    <div className="bp6-callout callout-bad form-summary" role="alert" tabIndex={-1} ref={box}>
      <ErrorIcon size={16} aria-hidden={true} />
      <ul>
        {faults.map(({ message, fieldId }) => (
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
          </li>
        ))}
      </ul>
    </div>
  );
}
