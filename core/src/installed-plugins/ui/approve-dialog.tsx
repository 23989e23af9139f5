import { HTMLSelect } from '@blueprintjs/core';
import { type ComponentProps, useState } from 'react';
import { messagesOf } from '../../platform/ui/data/api-error.ts';
import { PermissionList } from '../../platform/ui/display/permission-list.tsx';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { FormField } from '../../platform/ui/forms/form-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { hostOf } from './form-fields.ts';
import type { InstalledPluginsStore, PluginItem, PluginVersion } from './installed.store.ts';

interface ApproveDialogProps {
  store: InstalledPluginsStore;
  item: PluginItem;
  onClose: () => void;
}

interface PermissionsProps extends ComponentProps<typeof PermissionList> {
  label: string;
}

function Permissions(props: PermissionsProps) {
  return (
    <section className="plugin-permissions">
      <h3>{props.label}</h3>
      <PermissionList {...props} />
    </section>
  );
}

interface VersionFieldProps {
  versions: readonly PluginVersion[];
  chosen: PluginVersion;
  onChange: (version: PluginVersion) => void;
}

function VersionField({ versions, chosen, onChange }: VersionFieldProps) {
  const help =
    chosen === versions[0]
      ? t('Later versions follow by themselves as long as they ask for no more.')
      : t('An earlier version stays until you choose another one.');
  return (
    <FormField label={t('Version')} help={help}>
      {({ id, 'aria-describedby': describedBy }) => (
        <HTMLSelect
          id={id}
          aria-describedby={describedBy}
          fill={true}
          value={chosen.version}
          options={versions.map(({ version }) => version)}
          onChange={({ currentTarget }) =>
            onChange(versions.find(({ version }) => version === currentTarget.value) ?? chosen)
          }
        />
      )}
    </FormField>
  );
}

const consequenceOf = ({ kind, publisher }: PluginVersion): string =>
  kind === 'code'
    ? t(
        '{publisher} wrote it, not the makers of Breakwater. Its code runs in a process of its own, without network, files and programs, and asks these hosts through this server.',
        { publisher },
      )
    : t(
        '{publisher} wrote it, not the makers of Breakwater. It has no code: it asks these hosts, with the credentials that you enter, and reads their answers.',
        { publisher },
      );

/** What an admin approves: a version, whose it is, what it talks to and which secrets its code reads. */
export function ApproveDialog({ store, item, onClose }: ApproveDialogProps) {
  const { versions, enabled } = item.attributes;
  const [chosen, setChosen] = useState<PluginVersion | undefined>(versions[0]);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  if (chosen === undefined) return null;
  const approve = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      await store.enable(item._id, chosen);
      onClose();
    } catch (failure) {
      setError(messagesOf(failure).join(' '));
      setIsBusy(false);
    }
  };
  return (
    <ActionDialog
      isOpen={true}
      title={
        enabled === null ? t('Enable {plugin}', { plugin: item._id }) : t('Version of {plugin}', { plugin: item._id })
      }
      consequence={consequenceOf(chosen)}
      actionLabel={enabled === null ? t('Approve and enable') : t('Approve this version')}
      isBusy={isBusy}
      onAction={() => void approve()}
      onClose={onClose}
    >
      {error !== undefined && (
        <p className="err" role="alert">
          {error}
        </p>
      )}
      {versions.length > 1 && <VersionField versions={versions} chosen={chosen} onChange={setChosen} />}
      <Permissions
        label={t('Hosts that it talks to')}
        wanted={chosen.hosts}
        approved={enabled?.hosts}
        none={t('It talks to no host.')}
        textOf={(host) => hostOf(chosen, host)}
      />
      <Permissions
        label={t('Secrets that its code reads')}
        wanted={chosen.reveals}
        approved={enabled?.reveals}
        none={t('None: this server signs its requests.')}
      />
      {(chosen.views.length > 0 || (enabled?.views.length ?? 0) > 0) && (
        <Permissions
          label={t('Pages of its own, in a frame that reaches nothing else')}
          wanted={chosen.views}
          approved={enabled?.views}
          none={t('It shows no page of its own.')}
          textOf={(id) => chosen.connectors.find((connector) => connector.id === id)?.title ?? id}
        />
      )}
    </ActionDialog>
  );
}
