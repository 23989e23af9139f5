import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useService } from '../../platform/ui/data/services.tsx';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { FormField, FormSummary } from '../../platform/ui/forms/form-field.tsx';
import { SESSION_STORE, useSubmit } from '../../session/ui/index.ts';
import { NO_PROOF, ProofFields, type Proofs, proofBody, proofIssues } from './proof-fields.tsx';

const NOTHING = () => undefined;

interface ProvenDeletionDialogProps {
  title: string;
  /** What goes: a sentence, or a list as children. */
  consequence?: string;
  children?: ReactNode;
  actionLabel: string;
  /** What is typed to confirm; the id is the field's name in the body where the server judges it. */
  confirmation: { id: string; label: string; refusal: string; isGiven: (typed: string) => boolean };
  proofs: Proofs;
  /** Deletes; with what proves who asks, and what was typed. */
  onDelete: (proof: ReturnType<typeof proofBody>, typed: string, signal: AbortSignal) => Promise<void>;
  /** Page that says what was deleted. The session is over by then. */
  goneAt: string;
  onClose: () => void;
}

/** Asks for what is to be typed and for what proves who asks, deletes, and ends the session that went with it. */
export function ProvenDeletionDialog(props: ProvenDeletionDialogProps) {
  const { title, consequence, children, actionLabel, confirmation, proofs, onDelete, goneAt, onClose } = props;
  const session = useService(SESSION_STORE);
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [values, setValues] = useState(NO_PROOF);
  const form = useSubmit(async (given: typeof values & { typed: string }, signal) => {
    await onDelete(proofBody(proofs, given), given.typed, signal);
    session.leave();
    // at once: nothing of this page is left without a session
    void navigate(goneAt, { replace: true });
  }, NOTHING);
  const { id, label, refusal, isGiven } = confirmation;
  const submit = () => {
    const issues = isGiven(typed) ? [] : [{ fieldId: id, message: refusal }];
    form.submit({ ...values, typed: typed.trim() }, [...issues, ...proofIssues(proofs, values)]);
  };
  return (
    <ActionDialog
      isOpen={true}
      title={title}
      {...(consequence === undefined ? {} : { consequence })}
      actionLabel={actionLabel}
      isDestructive={true}
      isBusy={form.isSubmitting || form.isDone}
      isActionEnabled={form.waitSeconds === 0}
      onAction={submit}
      onClose={onClose}
    >
      <FormSummary issues={form.issues} />
      {children}
      <FormField id={id} label={label} error={form.errorOf(id)}>
        {(control) => (
          <input
            {...control}
            type="text"
            // biome-ignore lint/a11y/noAutofocus: the first field of a dialog
            autoFocus={true}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={({ currentTarget }) => {
              setTyped(currentTarget.value);
              form.edit(id);
            }}
          />
        )}
      </FormField>
      <ProofFields
        proofs={proofs}
        values={values}
        errorOf={form.errorOf}
        onChange={(next, fieldId) => {
          setValues(next);
          form.edit(fieldId);
        }}
      />
    </ActionDialog>
  );
}
