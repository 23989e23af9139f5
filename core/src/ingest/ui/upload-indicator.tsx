import { Button, ProgressBar } from '@blueprintjs/core';
import { useSelector } from '@xstate/react';
import { useEffect, useReducer } from 'react';
import { plural, t } from '../../platform/ui/language/translate.ts';
import type { UploadFileRef } from './upload.machine.ts';
import type { UploadStore } from './upload.store.ts';

/** How far one file is, 0 to 1: sending is the first half. */
const shareOf = (file: UploadFileRef): number => {
  const { value, context } = file.getSnapshot();
  if (value === 'done' || value === 'failed') return 1;
  if (value === 'uploading') return context.percentage / 200;
  return value === 'importing' ? 0.5 + context.percentage / 200 : 0;
};

const isOver = (file: UploadFileRef): boolean => shareOf(file) === 1;

/** Drawn anew as the files move on: their states are not those of the upload. */
const useShares = (files: readonly UploadFileRef[]): number[] => {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const subscriptions = files.map((file) => file.subscribe(redraw));
    return () => {
      for (const subscription of subscriptions) subscription.unsubscribe();
    };
  }, [files]);
  return files.map(shareOf);
};

interface RunningProps {
  uploads: UploadStore;
  files: readonly UploadFileRef[];
  name: string;
}

function Running({ uploads, files, name }: RunningProps) {
  const moved = useShares(files);
  const done = files.filter(isOver).length;
  const label = plural(files.length, 'Importing {count} report of {name}', 'Importing {count} reports of {name}', {
    name,
  });
  return (
    <section className="upload-indicator" aria-label={t('Import in progress')}>
      <div className="row">
        <span className="grow trunc" title={label}>
          {label}
        </span>
        <span className="muted small tn">{t('{done} of {count}', { done, count: files.length })}</span>
        <Button
          variant="minimal"
          size="small"
          text={t('Show import')}
          onClick={() => uploads.actor.send({ type: 'OPEN' })}
        />
      </div>
      <ProgressBar
        animate={false}
        stripes={false}
        value={moved.reduce((sum, share) => sum + share, 0) / files.length}
        aria-label={label}
      />
    </section>
  );
}

/** An import whose dialog was closed stays in view until it is done, whatever page shows. */
export function UploadIndicator({ uploads }: { uploads: UploadStore }) {
  const { value, context } = useSelector(uploads.actor, (state) => state);
  const isRunning = value === 'preparing' || value === 'running' || value === 'summing';
  if (!isRunning || context.isOpen || context.files.length === 0) return null;
  return (
    <Running
      key={context.files.length}
      uploads={uploads}
      files={context.files}
      name={context.application?.name ?? t('the application')}
    />
  );
}
