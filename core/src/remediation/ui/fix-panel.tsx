import { Button, Callout, FormGroup, InputGroup, Tag } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { can } from '../../platform/model/permissions.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import { PROCESSING_LABELS } from '../model/states.ts';
import { DiffView } from './diff-view.tsx';
import { FixStore, type Remediation } from './fix.store.ts';
import './fix-panel.css';

interface PartProps {
  store: FixStore;
  onChanged: () => void;
}

const isWebAddress = (address: string | null): address is string =>
  address !== null && URL.canParse(address) && ['https:', 'http:'].includes(new URL(address).protocol);

function Place({ attributes }: { attributes: Remediation['attributes'] }) {
  const { remediation_type: type, repository, fix_branch, branch, reference_url: url, number } = attributes;
  const name = type === 'issue' ? 'issue' : 'pull request';
  return (
    <p className="place">
      {type === 'issue' ? 'Issue in ' : 'Pull request in '}
      <span className="strong">{repository}</span>
      {type === 'pull_request' && (
        <>
          : <code>{fix_branch}</code> into <code>{branch}</code>
        </>
      )}
      {isWebAddress(url) && (
        <>
          {' · '}
          <a href={url} target="_blank" rel="noreferrer">
            Open {name} {number ?? ''}
          </a>
        </>
      )}
    </p>
  );
}

/** What only a person can decide. */
const TemplateForm = observer(function TemplateForm({ store, onChanged }: PartProps) {
  const { template_fields: fields = [], template_values: stored = {} } = store.remediation?.attributes ?? {};
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  if (fields.length === 0) return null;
  const textOf = (key: string): string => values[key] ?? stored[key] ?? '';
  const submit = async () => {
    const given = fields.flatMap(({ key }) => (textOf(key) === '' ? [] : [[key, textOf(key)] as const]));
    if (await store.fill(Object.fromEntries(given))) onChanged();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {fields.map(({ key, label, help }) => (
        <FormGroup key={key} label={label} labelFor={`fix-${key}`} helperText={help}>
          <InputGroup
            id={`fix-${key}`}
            value={textOf(key)}
            onValueChange={(value) => setValues({ ...values, [key]: value })}
          />
        </FormGroup>
      ))}
      <Button type="submit" intent="primary" text="Fill in" loading={store.step === 'fill'} />
    </form>
  );
});

const TicketButton = observer(function TicketButton({ store }: { store: FixStore }) {
  const toasts = useService(TOASTS);
  const send = async () => {
    const notice = await store.sendTicket();
    if (notice !== undefined) toasts.show(notice.message, { tone: notice.isProblem ? 'problem' : 'done' });
  };
  return (
    <Button
      variant="minimal"
      text="Send ticket"
      loading={store.step === 'ticket'}
      disabled={store.step !== undefined}
      onClick={() => void send()}
    />
  );
});

const Actions = observer(function Actions({ store, onChanged }: PartProps) {
  const { remediation, step, isReady } = store;
  const status = remediation?.attributes.processing_status;
  const isOpen = status === 'pr_submitted' || status === 'issued';
  const isIssue = remediation?.attributes.remediation_type === 'issue';
  const openText = isIssue ? 'Open issue' : 'Open pull request';
  const run = async (work: Promise<boolean>) => {
    await work;
    onChanged();
  };
  const isBusy = step !== undefined;
  return (
    <div className="buttons">
      {isReady && (
        <Button
          intent="primary"
          text={openText}
          title={`${openText} (p)`}
          loading={step === 'open'}
          disabled={isBusy}
          onClick={() => void run(store.open())}
        />
      )}
      {!isOpen && (
        <Button
          intent={remediation === null ? 'primary' : 'none'}
          text={remediation === null ? 'Generate fix' : 'Generate again'}
          title="Generate the fix (r)"
          loading={step === 'generate'}
          disabled={isBusy}
          onClick={() => void run(store.generate('pull_request'))}
        />
      )}
      {!isOpen && !(isReady && isIssue) && (
        <Button
          variant="minimal"
          text="Prepare an issue"
          disabled={isBusy}
          onClick={() => void run(store.generate('issue'))}
        />
      )}
      {(isReady || isOpen) && <TicketButton store={store} />}
    </div>
  );
});

const FixText = observer(function FixText({ store }: { store: FixStore }) {
  const attributes = store.remediation?.attributes;
  if (attributes === undefined) return <p className="t2">No fix has been generated for this finding yet.</p>;
  const { processing_status: status, title, failure, code_diff: diff, description, remarks } = attributes;
  return (
    <>
      <p>
        <Tag minimal>{PROCESSING_LABELS[status]}</Tag> <span className="strong">{title}</span>
      </p>
      {failure !== null && <Callout intent="warning">{failure}</Callout>}
      {(status === 'ready' || attributes.reference_url !== null) && <Place attributes={attributes} />}
      {remarks.length > 0 && (
        <ul>
          {remarks.map((remark) => (
            <li key={remark}>{remark}</li>
          ))}
        </ul>
      )}
      {diff === null ? <p className="description t2">{description}</p> : <DiffView diff={diff} />}
    </>
  );
});

export interface FixPanelProps {
  /** Of the finding. */
  id: string;
  /** What a key asked for, with a number that grows at each press. */
  request: { kind: 'generate' | 'open'; count: number } | undefined;
  /** The status of the finding may be another one now. */
  onChanged: () => void;
}

/** Does what a key asked for, once, as soon as the fix is read. */
const useRequest = (store: FixStore, mayFix: boolean, { request, onChanged }: FixPanelProps): void => {
  const [handled, setHandled] = useState(0);
  const isRead = store.remediation !== undefined;
  const wanted = request !== undefined && request.count > handled && isRead && mayFix ? request : undefined;
  useEffect(() => {
    if (wanted === undefined) return;
    setHandled(wanted.count);
    const work = wanted.kind === 'generate' ? store.generate('pull_request') : store.open();
    void work.then((isDone) => (isDone ? onChanged() : undefined));
  }, [wanted, store, onChanged]);
};

/** The fix of a finding: generated, looked at with branch and target, and opened. */
export const FixPanel = observer(function FixPanel(props: FixPanelProps) {
  const { id, onChanged } = props;
  const api = useService(API);
  const { user } = useService(SESSION);
  const [store] = useState(() => new FixStore(api, id));
  const mayFix = can(user?.role, 'findings.fix');
  useEffect(() => {
    void store.load();
    return store.dispose;
  }, [store]);
  useRequest(store, mayFix, props);
  if (store.error !== undefined)
    return <ErrorState title="The fix could not be read" error={store.error} onRetry={() => void store.load()} />;
  if (store.remediation === undefined) return <SkeletonRows rows={4} rowHeight={32} label="The fix" />;
  return (
    <div className="fix-panel">
      {store.problems.map((problem) => (
        <Callout key={problem} intent="danger" role="alert">
          {problem}
        </Callout>
      ))}
      <FixText store={store} />
      {mayFix && <TemplateForm store={store} onChanged={onChanged} />}
      {mayFix && <Actions store={store} onChanged={onChanged} />}
    </div>
  );
});
