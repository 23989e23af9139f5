import { Button } from '@blueprintjs/core';
import { useSelector } from '@xstate/react';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { StatusDot } from '../../platform/ui/display/badges.tsx';
import { plural, t } from '../../platform/ui/language/translate.ts';
import type { ReportPreview } from '../model/report-preview.ts';
import { MapColumnsDialog } from './mapping/map-columns-dialog.tsx';
import type { UploadFileRef } from './upload.machine.ts';
import type { UploadStore } from './upload.store.ts';

type Counted = Extract<ReportPreview, { kind: 'counted' }>;

/** "163 results, 840 components, 2 unreadable"; what it has none of is left out, but for results where there is nothing else. */
export const previewCounts = ({ findings, components, unreadable, isMore }: Counted): string => {
  const results = isMore
    ? plural(findings, 'more than {count} result', 'more than {count} results')
    : plural(findings, '{count} result', '{count} results');
  const parts = [
    ...(findings > 0 || components === 0 ? [results] : []),
    ...(components > 0 ? [plural(components, '{count} component', '{count} components')] : []),
    ...(unreadable > 0 ? [t('{count} unreadable', { count: unreadable })] : []),
  ];
  return parts.join(', ');
};

/** What is in the way of an import, and what to do. Undefined where nothing is. */
const problemOf = (preview: ReportPreview, serverTools: readonly string[]): string | undefined => {
  switch (preview.kind) {
    case 'unknown':
      return serverTools.every((id) => preview.asked.includes(id))
        ? t('Unknown format. Choose the tool that wrote it, or write the report as SARIF, CycloneDX or CSV.')
        : undefined;
    case 'table':
      return t('A table of a tool that is not known here. Say what its columns are.');
    case 'empty':
      return t('The file is empty. If the tool found nothing, choose the tool.');
    case 'wrong_tool':
      return t('This is a report of {title}. Choose that tool.', { title: preview.title });
    case 'refused':
      return t(preview.why);
    default:
      return undefined;
  }
};

interface MapColumnsProps {
  uploads: UploadStore;
  file: UploadFileRef;
  maySave: boolean;
}

/** Says before it is sent what the columns of a table are. */
function MapColumns({ uploads, file, maySave }: MapColumnsProps) {
  const { file: blob, mapping } = useSelector(file, ({ context }) => context);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="small" text={t('Map columns…')} onClick={() => setIsOpen(true)} />
      {isOpen && (
        <MapColumnsDialog
          api={uploads.api}
          file={blob}
          mapping={mapping}
          maySave={maySave}
          acceptText={t('Use these columns')}
          onClose={() => setIsOpen(false)}
          onImport={(chosen) => {
            setIsOpen(false);
            file.send({ type: 'SET_MAPPING', mapping: chosen });
          }}
        />
      )}
    </>
  );
}

/** Tool and results of a report that lies here, before anything is sent. */
export const UploadPreview = observer(function UploadPreview({ uploads, file, maySave }: MapColumnsProps) {
  const { preview, isLooking, mapping } = useSelector(file, ({ context }) => context);
  if (isLooking) return <p className="small muted">{t('Reading the file')}</p>;
  if (preview === undefined) return null;
  if (preview.kind === 'counted')
    return (
      <p className="row wrap small upload-preview">
        <span className="muted">{preview.title}</span>
        <span className="tn num">{previewCounts(preview)}</span>
      </p>
    );
  if (preview.kind === 'table' && mapping !== undefined)
    return (
      <p className="row wrap small upload-preview">
        <StatusDot tone="ok">{t('Columns are mapped')}</StatusDot>
        <MapColumns uploads={uploads} file={file} maySave={maySave} />
      </p>
    );
  const problem = problemOf(
    preview,
    uploads.tools.map(({ _id }) => _id),
  );
  if (problem === undefined)
    return (
      <p className="row wrap small muted upload-preview">
        {preview.kind === 'uncounted' && <span>{preview.title}</span>}
        <span>
          {preview.kind === 'uncounted'
            ? t('Its results are counted once it is sent.')
            : t('Tool and results are read once it is sent.')}
        </span>
      </p>
    );
  return (
    <p className="row wrap small upload-preview" role="status">
      <StatusDot tone="warn">{problem}</StatusDot>
      {preview.kind === 'table' && <MapColumns uploads={uploads} file={file} maySave={maySave} />}
    </p>
  );
});
