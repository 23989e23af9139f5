import { Button } from '@blueprintjs/core';
import { Duplicate, WarningSign } from '@blueprintjs/icons';
import { useEffect, useId, useRef } from 'react';
import { copyText } from '../../../platform/ui/clipboard.ts';
import { useService } from '../../../platform/ui/services.tsx';
import { TOASTS } from '../../../platform/ui/toasts.store.ts';
import type { MadeToken } from './token-form.tsx';

const exampleOf = (origin: string): string =>
  `curl -F file=@report.json -F tool=auto -H "Authorization: Bearer $TOKEN" "${origin}/api/v1/upload_scan/$REPOSITORY?wait=60"`;

export interface NewTokenProps {
  made: MadeToken;
  onDone: () => void;
}

/** A token just made: shown here and never again. */
export function NewToken({ made, onDone }: NewTokenProps) {
  const toasts = useService(TOASTS);
  const fieldId = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <div className="new-token">
      <div className="bp6-callout callout-warn" role="status">
        <WarningSign size={16} aria-hidden={true} />
        <span>
          Copy “{made.name}” now. It is stored as a digest only: nobody, not even an admin, can show it again.
        </span>
      </div>
      <label className="bp6-label" htmlFor={fieldId}>
        Token
      </label>
      <div className="row">
        <input
          id={fieldId}
          ref={field}
          className="bp6-input mono grow"
          readOnly={true}
          autoComplete="off"
          value={made.token}
          onFocus={(event) => event.target.select()}
        />
        <Button
          intent="primary"
          icon={<Duplicate aria-hidden={true} />}
          text="Copy"
          onClick={() => void copyText(made.token, toasts)}
        />
      </div>
      <p className="small muted">Keep it as a secret of the pipeline, then upload with it:</p>
      <pre className="command mono">{exampleOf(window.location.origin)}</pre>
      <Button text="I have stored it" onClick={onDone} />
    </div>
  );
}
