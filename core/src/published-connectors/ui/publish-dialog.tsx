import { HTMLSelect } from '@blueprintjs/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { msg } from '../../platform/model/message.ts';
import { messagesOf } from '../../platform/ui/data/api-error.ts';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { FilePicker } from '../../platform/ui/forms/file-inputs.tsx';
import { FormField } from '../../platform/ui/forms/form-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { VISIBILITIES, type Visibility } from '../model/publication.ts';
import { versionAddress } from './builder/builder-address.ts';
import type { ConnectorFiles, PublishedItem, PublishedStore } from './published.store.ts';

interface PublishDialogProps {
  store: PublishedStore;
  /** A new version of it; absent: a new connector. */
  item?: PublishedItem;
  /** What is published; absent: files are chosen. */
  files?: ConnectorFiles;
  /** It was published. Default: the dialog closes. */
  onDone?: () => void;
  onClose: () => void;
}

const VISIBILITY_LABELS: Readonly<Record<Visibility, string>> = {
  private: msg('My organisation'),
  public: msg('All organisations'),
};

// no text: names of files
const FILES = ['connector.json', 'conformance.json'] as const;
type FileName = (typeof FILES)[number];

interface Chosen {
  name: string;
  content: unknown;
}

interface FileFieldProps {
  file: FileName;
  chosen: Chosen | undefined;
  onChosen: (chosen: Chosen) => void;
  onError: (message: string) => void;
}

/** One of the two files. What is no JSON is refused before anything is sent. */
function FileField({ file, chosen, onChosen, onError }: FileFieldProps) {
  const read = async (picked: File) => {
    try {
      onChosen({ name: picked.name, content: JSON.parse(await picked.text()) });
    } catch {
      onError(t('{file} is no JSON.', { file: picked.name }));
    }
  };
  return (
    <div className="row offer-file">
      <FilePicker only={file} onFiles={([picked]) => picked !== undefined && void read(picked)}>
        {t('Choose {file}', { file })}
      </FilePicker>
      <span className="muted small trunc">{chosen?.name ?? t('Nothing chosen')}</span>
    </div>
  );
}

function VisibilityField({ value, onChange }: { value: Visibility; onChange: (value: Visibility) => void }) {
  return (
    <FormField label={t('Who may add it')}>
      {({ id }) => (
        <HTMLSelect
          id={id}
          fill={true}
          value={value}
          options={VISIBILITIES.map((one) => ({ value: one, label: t(VISIBILITY_LABELS[one]) }))}
          onChange={({ currentTarget }) => onChange(VISIBILITIES.find((one) => one === currentTarget.value) ?? value)}
        />
      )}
    </FormField>
  );
}

/** Publishes the two files of a connector without code. */
export function PublishDialog({ store, item, files: given, onDone, onClose }: PublishDialogProps) {
  const [chosen, setChosen] = useState<Partial<Record<FileName, Chosen>>>({});
  const [visibility, setVisibility] = useState<Visibility>(item?.attributes.visibility ?? 'private');
  const [isBusy, setIsBusy] = useState(false);
  const [errors, setErrors] = useState<readonly string[]>([]);
  const document = chosen['connector.json'];
  const fixtures = chosen['conformance.json'];
  const publish = async () => {
    setIsBusy(true);
    setErrors([]);
    const files = given ?? { document: document?.content, fixtures: fixtures?.content };
    try {
      await (item === undefined ? store.publish(files, visibility) : store.edit(item._id, files, visibility));
      (onDone ?? onClose)();
    } catch (failure) {
      setErrors(messagesOf(failure));
      setIsBusy(false);
    }
  };
  return (
    <ActionDialog
      isOpen={true}
      title={
        item === undefined
          ? t('Publish a connector')
          : t('New version of {connector}', { connector: item.attributes.title })
      }
      consequence={t(
        'A connector without code, with what its service was asked and answered. It is tried with that before it is published, which takes some seconds.',
      )}
      actionLabel={t('Publish')}
      isBusy={isBusy}
      isActionEnabled={given !== undefined || (document !== undefined && fixtures !== undefined)}
      onAction={() => void publish()}
      onClose={onClose}
    >
      {errors.length > 0 && (
        <div className="err offer-errors" role="alert">
          <ul>
            {errors.map((error) => (
              <li key={error}>{error}</li>
            ))}
          </ul>
        </div>
      )}
      {item !== undefined && given === undefined && (
        <p>
          <Link to={versionAddress(item._id)}>{t('Write it in the browser')}</Link>
        </p>
      )}
      {(given === undefined ? FILES : []).map((file) => (
        <FileField
          key={file}
          file={file}
          chosen={chosen[file]}
          onChosen={(one) => {
            setErrors([]);
            setChosen((known) => ({ ...known, [file]: one }));
          }}
          onError={(message) => setErrors([message])}
        />
      ))}
      <VisibilityField value={visibility} onChange={setVisibility} />
    </ActionDialog>
  );
}
