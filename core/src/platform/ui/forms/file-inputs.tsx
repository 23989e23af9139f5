import { Button } from '@blueprintjs/core';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { t } from '../language/translate.ts';

interface FilePickerProps {
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
        aria-label={only ?? t('Reports')}
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

const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');

interface DropZoneProps {
  className?: string;
  /** What letting go will do: "Drop reports to upload them". Covers the zone while files hover. */
  hint: string;
  onFiles: (files: File[]) => void;
  children: ReactNode;
}

/** Takes files that are dropped anywhere inside. */
export function DropZone({ className = '', hint, onFiles, children }: DropZoneProps) {
  const [isOver, setIsOver] = useState(false);
  // Entering a child leaves its parent: only the balance says whether the pointer is still inside.
  const depth = useRef(0);
  const leave = () => {
    depth.current = 0;
    setIsOver(false);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button beside it is the first
    <div
      className={`dropzone ${className}`}
      onDragEnter={(event) => {
        if (!hasFiles(event)) return;
        depth.current += 1;
        setIsOver(true);
      }}
      onDragLeave={() => {
        depth.current = Math.max(0, depth.current - 1);
        if (depth.current === 0) setIsOver(false);
      }}
      onDragOver={(event) => {
        if (hasFiles(event)) event.preventDefault();
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        leave();
        const files = [...event.dataTransfer.files];
        if (files.length > 0) onFiles(files);
      }}
    >
      {children}
      {isOver && (
        <div className="dropzone-hint" aria-hidden="true">
          {hint}
        </div>
      )}
    </div>
  );
}
