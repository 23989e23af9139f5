import { Button, InputGroup, TextArea } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { type FormEvent, useState } from 'react';
import { FormField, type FormIssue, FormSummary } from '../../../platform/ui/forms/form-field.tsx';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { cloneUrlIssues } from '../../model/clone-url.ts';
import { MAX_NAME_LENGTH } from '../../model/repository-fields.ts';
import type { ImportStore, Wanted } from './import.store.ts';

const ADDRESSES = 'import-addresses';
const MAX_LINES = 500;

/** `https://host/group/project.git` and `git@host:group/project.git` are both `group/project`. */
export const nameOfAddress = (address: string): string => {
  const path =
    URL.canParse(address) && address.includes('://')
      ? new URL(address).pathname
      : address.slice(address.indexOf(':') + 1);
  const name = path.replace(/^\/+|\/+$/g, '').replace(/\.git$/i, '');
  return (name === '' ? address : name).slice(-MAX_NAME_LENGTH);
};

/** What is wrong with each line, by the place where it stands. */
export const judgeAddresses = (lines: readonly string[]): FormIssue[] => {
  if (lines.length === 0) return [{ message: t('Enter at least one clone address.'), fieldId: ADDRESSES }];
  if (lines.length > MAX_LINES)
    return [{ message: t('Enter at most {count} addresses at once.', { count: MAX_LINES }), fieldId: ADDRESSES }];
  return lines.flatMap((line, index) => {
    const issues = cloneUrlIssues(line);
    const issue = issues.map((sentence) => t(sentence)).join(' ');
    const message = t('Line {line}: {problem}', { line: String(index + 1), problem: issue });
    return issues.length === 0 ? [] : [{ message, fieldId: ADDRESSES }];
  });
};

/** Repositories that need no account: one clone address a line. */
export const AddressForm = observer(function AddressForm({ store }: { store: ImportStore }) {
  const [text, setText] = useState('');
  const [branch, setBranch] = useState('main');
  const [issues, setIssues] = useState<FormIssue[]>([]);
  const isRunning = store.run?.isRunning === true;
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const lines = [
      ...new Set(
        text
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== ''),
      ),
    ];
    const found = judgeAddresses(lines);
    setIssues(found);
    if (found.length > 0) return;
    const wanted = lines.map(
      (url): Wanted => ({ key: url, url, nickname: nameOfAddress(url), repository_branch: branch.trim() || 'main' }),
    );
    await store.import(wanted);
    if (store.run?.stopped === undefined && store.run?.failures.length === 0) setText('');
  };
  return (
    <form className="address-form" onSubmit={(event) => void handleSubmit(event)}>
      <FormSummary issues={issues} />
      <FormField
        id={ADDRESSES}
        label={t('Clone addresses')}
        help={t('One a line: https, ssh or git. Leave out users and passwords; they are kept with the connector.')}
        error={
          issues.length === 0 ? undefined : plural(issues.length, 'One line is wrong.', '{count} lines are wrong.')
        }
      >
        {(control) => (
          <TextArea
            {...control}
            fill
            rows={6}
            // no text: an example
            placeholder={'https://git.example.com/group/project.git\ngit@git.example.com:group/other.git'}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
      </FormField>
      <FormField label={t('Default branch')} help={t('Of all of them; each can be changed on its page.')}>
        {(control) => <InputGroup id={control.id} maxLength={255} value={branch} onValueChange={setBranch} />}
      </FormField>
      <div className="row">
        <Button type="submit" intent="primary" text={t('Import')} loading={isRunning} />
      </div>
    </form>
  );
});
