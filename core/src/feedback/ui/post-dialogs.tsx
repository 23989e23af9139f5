import { HTMLSelect } from '@blueprintjs/core';
import { useState } from 'react';
import { messagesOf } from '../../platform/ui/data/api-error.ts';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { FormField } from '../../platform/ui/forms/form-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { FEEDBACK_STATUS_LABELS, FEEDBACK_STATUSES, MAX_DETAILS, MAX_TITLE } from '../model/feedback.ts';
import type { FeedbackStore, PostItem } from './feedback.store.ts';

/** Runs what a dialog is for and closes it, or says why not. */
const useSaving = (onClose: () => void) => {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  const save = async (work: () => Promise<void>) => {
    setIsBusy(true);
    setError(undefined);
    try {
      await work();
      onClose();
    } catch (failure) {
      setError(messagesOf(failure).join(' '));
      setIsBusy(false);
    }
  };
  return { isBusy, error, save };
};

interface DialogProps {
  store: FeedbackStore;
  onClose: () => void;
}

/** Asks what somebody wishes for. */
export function NewPostDialog({ store, onClose }: DialogProps) {
  const { isBusy, error, save } = useSaving(onClose);
  const [title, setTitle] = useState('');
  const [details, setDetails] = useState('');
  return (
    <ActionDialog
      isOpen={true}
      title={t('New post')}
      consequence={t('People of your organisation and whoever runs this installation will see it, with your name.')}
      actionLabel={t('Post')}
      isBusy={isBusy}
      isActionEnabled={title.trim().length >= 3}
      draft={`${title}\n${details}`.trim()}
      onAction={() => void save(() => store.add({ title, details }))}
      onClose={onClose}
    >
      <FormField label={t('What should the product do?')} error={error}>
        {(control) => (
          <input
            {...control}
            type="text"
            // biome-ignore lint/a11y/noAutofocus: the first field of a dialog
            autoFocus={true}
            autoComplete="off"
            maxLength={MAX_TITLE}
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
        )}
      </FormField>
      <FormField label={t('What for, and how do you manage today?')}>
        {(control) => (
          <textarea
            {...control}
            rows={5}
            maxLength={MAX_DETAILS}
            value={details}
            onChange={(event) => setDetails(event.currentTarget.value)}
          />
        )}
      </FormField>
    </ActionDialog>
  );
}

/** Says what becomes of a post. */
export function AnswerDialog({ store, item, onClose }: DialogProps & { item: PostItem }) {
  const { isBusy, error, save } = useSaving(onClose);
  const [status, setStatus] = useState(item.attributes.status);
  const [answer, setAnswer] = useState(item.attributes.answer);
  return (
    <ActionDialog
      isOpen={true}
      title={t('Answer {title}', { title: item.attributes.title })}
      consequence={t('Everybody of the organisation reads it.')}
      actionLabel={t('Save')}
      isBusy={isBusy}
      draft={answer === item.attributes.answer ? '' : answer}
      onAction={() => void save(() => store.answer(item, { status, answer: answer.trim() }))}
      onClose={onClose}
    >
      <FormField label={t('State')} error={error}>
        {(control) => (
          <HTMLSelect
            id={control.id}
            fill={true}
            value={status}
            options={FEEDBACK_STATUSES.map((value) => ({ value, label: t(FEEDBACK_STATUS_LABELS[value]) }))}
            onChange={({ currentTarget: { value } }) =>
              setStatus(FEEDBACK_STATUSES.find((one) => one === value) ?? status)
            }
          />
        )}
      </FormField>
      <FormField label={t('Answer')}>
        {(control) => (
          <textarea
            {...control}
            rows={5}
            maxLength={MAX_DETAILS}
            value={answer}
            onChange={(event) => setAnswer(event.currentTarget.value)}
          />
        )}
      </FormField>
    </ActionDialog>
  );
}
