import { Button } from '@blueprintjs/core';
import { type ReactNode, useRef } from 'react';

export interface FilePickerProps {
  onFiles: (files: File[]) => void;
  isPrimary?: boolean;
  isFilled?: boolean;
  /** One file only, and what it is called. */
  only?: string;
  isDisabled?: boolean;
  children: ReactNode;
}

/** A button that lets files be chosen. */
export function FilePicker({
  onFiles,
  isPrimary = false,
  isFilled = false,
  only,
  isDisabled = false,
  children,
}: FilePickerProps) {
  const inputRef = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={inputRef}
        type="file"
        multiple={only === undefined}
        hidden
        aria-label={only ?? 'Reports'}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          // Choosing the same file again has to be a change, too.
          event.currentTarget.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
      <Button
        intent={isPrimary ? 'primary' : 'none'}
        fill={isFilled}
        disabled={isDisabled}
        onClick={() => inputRef.current?.click()}
      >
        {children}
      </Button>
    </>
  );
}
