import { useState } from 'react';
import { messagesOf } from '../../platform/ui/data/api-error.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { FilePicker } from '../../platform/ui/forms/file-inputs.tsx';
import { TextField } from '../../platform/ui/forms/text-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import type { Installation, InstalledPluginsStore } from './installed.store.ts';

interface InstallDialogProps {
  store: InstalledPluginsStore;
  onClose: () => void;
}

const doneText = ({ id, version, is_new }: Installation): string =>
  is_new
    ? t('{plugin} {version} is installed. Admins of organisations can enable it.', { plugin: id, version })
    : t('{plugin} {version} was installed already.', { plugin: id, version });

function Errors({ errors }: { errors: readonly string[] }) {
  if (errors.length === 0) return null;
  return (
    <div className="err offer-errors" role="alert">
      <ul>
        {errors.map((error) => (
          <li key={error}>{error}</li>
        ))}
      </ul>
    </div>
  );
}

/** Takes a package of the registry, or a file. */
export function InstallDialog({ store, onClose }: InstallDialogProps) {
  const toasts = useService(TOASTS);
  const [name, setName] = useState('');
  const [version, setVersion] = useState('');
  const [file, setFile] = useState<File>();
  const [isBusy, setIsBusy] = useState(false);
  const [errors, setErrors] = useState<readonly string[]>([]);
  const install = async () => {
    setIsBusy(true);
    setErrors([]);
    try {
      const done: Installation =
        file === undefined ? await store.installPackage(name.trim(), version.trim()) : await store.installFile(file);
      toasts.show(doneText(done));
      onClose();
    } catch (failure) {
      setErrors(messagesOf(failure));
      setIsBusy(false);
    }
  };
  return (
    <ActionDialog
      isOpen={true}
      title={t('Install a plugin')}
      consequence={t(
        'Its files are compared with its build, and its code describes itself once in a process of its own. Nobody uses it before an admin of their organisation has approved what it may do.',
      )}
      actionLabel={t('Install')}
      isBusy={isBusy}
      isActionEnabled={file !== undefined || name.trim() !== ''}
      onAction={() => void install()}
      onClose={onClose}
    >
      <Errors errors={errors} />
      <div className="row offer-file">
        <FilePicker
          only={t('Plugin file')}
          onFiles={([picked]) => {
            setErrors([]);
            setFile(picked);
          }}
        >
          {t('Choose a file (.tgz)')}
        </FilePicker>
        <span className="muted small trunc">{file?.name ?? t('or name a package of the registry')}</span>
      </div>
      <TextField
        label={t('Package')}
        help={t('As the registry names it: {example}', { example: '@acme/breakwater-scan' })}
        maxLength={214}
        value={name}
        onChange={(value) => {
          setFile(undefined);
          setName(value);
        }}
      />
      <TextField
        label={t('Version')}
        help={t('Empty: the latest')}
        maxLength={100}
        value={version}
        onChange={setVersion}
      />
    </ActionDialog>
  );
}
