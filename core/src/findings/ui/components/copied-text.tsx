import { Button } from '@blueprintjs/core';
import { Duplicate } from '@blueprintjs/icons';
import { copyText } from '../../../platform/ui/clipboard.ts';
import { useService } from '../../../platform/ui/services.tsx';
import { TOASTS } from '../../../platform/ui/toasts.store.ts';

export interface CopiedTextProps {
  /** What it is: "file path". */
  name: string;
  text: string;
}

/** A text that people take along, with a button that copies it. */
export function CopiedText({ name, text }: CopiedTextProps) {
  const toasts = useService(TOASTS);
  return (
    <span className="copied-text">
      <span className="mono">{text}</span>
      <Button
        variant="minimal"
        size="small"
        icon={<Duplicate size={12} />}
        aria-label={`Copy the ${name}`}
        title={`Copy the ${name}`}
        onClick={() => void copyText(text, toasts)}
      />
    </span>
  );
}
