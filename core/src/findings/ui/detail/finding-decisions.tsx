import { Button, HTMLSelect } from '@blueprintjs/core';
import { SEVERITIES } from '@breakwater/sdk';
import { observer } from 'mobx-react-lite';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { msg } from '../../../platform/model/message.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { FormField } from '../../../platform/ui/forms/form-field.tsx';
import { inSentence, t } from '../../../platform/ui/language/translate.ts';
import { PersonAvatar } from '../../../session/ui/index.ts';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { PeopleStore } from '../../../team/ui/index.ts';
import { type FindingChange, NEXT_STATUSES } from '../../model/change.ts';
import { SEVERITY_LABELS, STATUS_OPTION_LABELS } from '../../model/labels.ts';
import type { FindingDetails } from '../data/finding-detail.store.ts';
import { useFindingsList } from '../triage/findings-context.ts';

/** Tags and notes as they stand in their fields, where somebody changed them. */
export interface TextsDraft {
  tags: string;
  notes: string;
}

const textsOf = ({ tags, notes }: FindingDetails): TextsDraft => ({ tags: tags.join(', '), notes: notes ?? '' });

/** Whether something is written that is not saved. */
export const isTextChanged = (finding: FindingDetails, draft: TextsDraft | undefined): boolean => {
  const saved = textsOf(finding);
  return draft !== undefined && (draft.tags !== saved.tags || draft.notes !== saved.notes);
};

/** What is written, as one text. */
export const textOfDraft = (draft: TextsDraft | undefined): string =>
  draft === undefined
    ? ''
    : [draft.tags === '' ? [] : [t('Tags: {tags}', { tags: draft.tags })], draft.notes === '' ? [] : [draft.notes]]
        .flat()
        .join('\n');

interface DecisionsProps {
  id: string;
  finding: FindingDetails;
  draft: TextsDraft | undefined;
  onDraft: (draft: TextsDraft | undefined) => void;
}

interface ChoiceProps {
  label: string;
  value: string;
  options: { value: string; label: string }[];
  help?: string | undefined;
  /** Right of the label. */
  mark?: ReactNode;
  isDisabled: boolean;
  onChoose: (value: string) => void;
}

function Choice({ label, value, options, help, mark, isDisabled, onChoose }: ChoiceProps) {
  return (
    <FormField label={label} help={help} aside={mark}>
      {(control) => (
        <HTMLSelect
          id={control.id}
          aria-describedby={control['aria-describedby']}
          fill={true}
          value={value}
          disabled={isDisabled}
          options={options}
          onChange={(event) => onChoose(event.currentTarget.value)}
        />
      )}
    </FormField>
  );
}

const NOBODY = '';

/** Owners to choose from: this person, all other members, and who owns it now. */
const useOwners = (finding: FindingDetails, mayDecide: boolean) => {
  const api = useService(API);
  const { user } = useService(SESSION);
  const [people] = useState(() => new PeopleStore(api));
  useEffect(() => {
    if (mayDecide) void people.loadMembers();
  }, [people, mayDecide]);
  const named = [
    { value: NOBODY, label: t('Nobody') },
    ...(user === undefined ? [] : [{ value: user._id, label: t('{name} (you)', { name: user.username }) }]),
    ...(people.members ?? []),
    ...finding.people.map((person) => ({ value: person._id, label: person.username })),
  ];
  return named.filter((one, index) => named.findIndex((other) => other.value === one.value) === index);
};

interface TextsProps extends Omit<DecisionsProps, 'id'> {
  isDisabled: boolean;
  /** @returns whether the server took it */
  onSave: (change: FindingChange) => Promise<boolean>;
}

const tagsIn = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

/** Tags and notes are sent together: they are written, not chosen. */
function Texts({ finding, draft, onDraft, isDisabled, onSave }: TextsProps) {
  const shown = draft ?? textsOf(finding);
  const { tags, notes } = shown;
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (await onSave({ tags: tagsIn(tags), notes: notes.trim() === '' ? null : notes })) onDraft(undefined);
  };
  return (
    <form className="is-wide" onSubmit={(event) => void handleSubmit(event)}>
      <FormField label={t('Tags')} help={t('Separated by commas.')}>
        {(control) => (
          <input
            {...control}
            value={tags}
            disabled={isDisabled}
            onChange={(event) => onDraft({ ...shown, tags: event.currentTarget.value })}
          />
        )}
      </FormField>
      <FormField label={t('Notes')}>
        {(control) => (
          <textarea
            {...control}
            rows={4}
            maxLength={10_000}
            value={notes}
            disabled={isDisabled}
            onChange={(event) => onDraft({ ...shown, notes: event.currentTarget.value })}
          />
        )}
      </FormField>
      <Button type="submit" text={t('Save tags and notes')} disabled={isDisabled || !isTextChanged(finding, draft)} />
    </form>
  );
}

const reportedText = (severity: FindingDetails['reported_severity']): string | undefined =>
  severity === null ? undefined : t('The report says {severity}.', { severity: inSentence(SEVERITY_LABELS[severity]) });

/** Status, severity, owner, tags and notes of a finding, and to whom it was sent. */
export const FindingDecisions = observer(function FindingDecisions(props: DecisionsProps) {
  const { id, finding, draft, onDraft } = props;
  const { triage, mayDecide, route } = useFindingsList();
  const owners = useOwners(finding, mayDecide);
  const isDisabled = !mayDecide || triage.isBusy;
  const change = (changed: FindingChange) => void triage.change({ ids: [id] }, changed, msg('changed'));
  const statuses = [finding.status, ...NEXT_STATUSES[finding.status]];
  const sentTo = finding.developers.map(
    (one) => finding.people.find((of) => of._id === one)?.username ?? t('somebody who left'),
  );
  return (
    <section className="sec">
      {!mayDecide && (
        <p className="muted small">
          {route.isReadOnly
            ? t('Read only: the people of this client change these.')
            : t('An admin or security operator changes these.')}
        </p>
      )}
      <div className="decide">
        <Choice
          label={t('Status')}
          value={finding.status}
          isDisabled={isDisabled}
          options={statuses.map((value) => ({ value, label: t(STATUS_OPTION_LABELS[value]) }))}
          onChoose={(value) => change({ status: statuses.find((one) => one === value) ?? finding.status })}
        />
        <Choice
          label={t('Severity')}
          value={finding.severity}
          isDisabled={isDisabled}
          options={SEVERITIES.map((value) => ({ value, label: t(SEVERITY_LABELS[value]) }))}
          help={reportedText(finding.reported_severity)}
          onChoose={(value) => change({ severity: SEVERITIES.find((one) => one === value) ?? finding.severity })}
        />
        <Choice
          label={t('Owner')}
          mark={
            finding.issue_owner !== null &&
            finding.issue_owner_name !== null && (
              <PersonAvatar id={finding.issue_owner} name={finding.issue_owner_name} isDecorative={true} />
            )
          }
          value={finding.issue_owner ?? NOBODY}
          isDisabled={isDisabled}
          options={owners}
          onChoose={(value) => change({ issue_owner: value === NOBODY ? null : value })}
        />
        <div>
          <div className="bp6-label">{t('Assigned to')}</div>
          <p>{sentTo.length === 0 ? <span className="muted">{t('Nobody')}</span> : sentTo.join(', ')}</p>
        </div>
        <Texts
          {...{ finding, draft, onDraft, isDisabled }}
          onSave={(changed) => triage.change({ ids: [id] }, changed, msg('changed'))}
        />
      </div>
    </section>
  );
});
