import { Button, Callout, HTMLSelect, HTMLTable, InputGroup } from '@blueprintjs/core';
import { SEVERITIES, type TableMapping } from '@breakwater/sdk';
import { useActorRef, useSelector } from '@xstate/react';
import { useId, useState } from 'react';
import type { ActorRefFrom } from 'xstate';
import { SEVERITY_LABELS } from '../../../platform/model/severity.ts';
import { visibleText } from '../../../platform/model/visible-text.ts';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { SeverityBadge } from '../../../platform/ui/display/badges.tsx';
import { DialogBox } from '../../../platform/ui/feedback/dialogs.tsx';
import { FormField } from '../../../platform/ui/forms/form-field.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { type FieldSource, mapColumnsMachine, type Preview } from './map-columns.machine.ts';
import './map-columns.css';

type MapRef = ActorRefFrom<typeof mapColumnsMachine>;
type Field = Preview['fields'][number];

interface PartProps {
  actor: MapRef;
  preview: Preview;
  mapping: TableMapping;
}

/** Values of the choice of a column; columns are counted, because one may be named like these. */
const NOTHING = 'nothing';
const SAME = 'same';

const sourceOf = (mapping: TableMapping, name: string): FieldSource =>
  mapping.fields.find(({ field }) => field === name);

interface FieldRowProps extends PartProps {
  field: Field;
}

/** Where one field comes from. */
function FieldRow({ actor, preview, mapping, field }: FieldRowProps) {
  const id = useId();
  const source = sourceOf(mapping, field.name);
  const set = (next: FieldSource) => actor.send({ type: 'SET_SOURCE', field: field.name, source: next });
  const isSame = source !== undefined && 'value' in source;
  const value =
    source === undefined ? NOTHING : 'column' in source ? `${preview.columns.indexOf(source.column)}` : SAME;
  const choose = (chosen: string) => {
    const column = preview.columns[Number(chosen)];
    if (chosen === NOTHING) set(undefined);
    else if (chosen === SAME) set({ value: field.values[0] ?? '' });
    else if (column !== undefined) set({ column });
  };
  return (
    <div className="map-field">
      <label htmlFor={id} title={t(field.help)}>
        {t(field.label)}
        {field.is_required && <span className="muted"> {t('(required)')}</span>}
      </label>
      <HTMLSelect
        id={id}
        fill
        value={value}
        onChange={(event) => choose(event.currentTarget.value)}
        options={[
          { value: NOTHING, label: t('Not in this table') },
          { value: SAME, label: t('The same for all rows') },
          ...preview.columns.map((column, index) => ({ value: `${index}`, label: visibleText(column) })),
        ]}
      />
      {isSame && field.values.length > 0 && (
        <HTMLSelect
          fill
          aria-label={t('{field} of all rows', { field: t(field.label) })}
          value={source.value}
          onChange={(event) => set({ value: event.currentTarget.value })}
          options={[...field.values]}
        />
      )}
      {isSame && field.values.length === 0 && (
        <InputGroup
          aria-label={t('{field} of all rows', { field: t(field.label) })}
          placeholder={t(field.help)}
          value={source.value}
          maxLength={500}
          onValueChange={(text) => set({ value: text })}
        />
      )}
    </div>
  );
}

function Fields(props: PartProps) {
  const { preview, mapping } = props;
  const isFirst = (field: Field) => field.is_required || sourceOf(mapping, field.name) !== undefined;
  // a field stays where it was when the dialog opened
  const [first] = useState(() => new Set(preview.fields.filter(isFirst).map(({ name }) => name)));
  const rowOf = (field: Field) => <FieldRow key={field.name} {...props} field={field} />;
  return (
    <section aria-label={t('Columns')}>
      <h3>{t('Which column says what')}</h3>
      <div className="map-fields">{preview.fields.filter(({ name }) => first.has(name)).map(rowOf)}</div>
      <details>
        <summary>{t('More fields')}</summary>
        <div className="map-fields">{preview.fields.filter(({ name }) => !first.has(name)).map(rowOf)}</div>
      </details>
    </section>
  );
}

function Words({ actor, preview, mapping }: PartProps) {
  const source = sourceOf(mapping, 'severity');
  if (preview.words.length === 0 || source === undefined || !('column' in source)) return null;
  return (
    <section aria-label={t('Severities')}>
      <h3>{t('What its severities mean')}</h3>
      <div className="map-fields">
        {preview.words.map(({ word, severity }) => {
          const own = mapping.severities.find((entry) => entry.word.toLowerCase() === word.toLowerCase())?.severity;
          const name = visibleText(word);
          return (
            <div className="map-field" key={word}>
              <span className="trunc" title={name}>
                {name}
              </span>
              <HTMLSelect
                fill
                aria-label={t('Severity of {word}', { word: name })}
                value={own ?? severity ?? ''}
                onChange={(event) => {
                  const chosen = SEVERITIES.find((one) => one === event.currentTarget.value);
                  actor.send({ type: 'SET_SEVERITY', word, severity: chosen });
                }}
                options={[
                  { value: '', label: t('Choose…') },
                  ...SEVERITIES.map((one) => ({ value: one, label: t(SEVERITY_LABELS[one]) })),
                ]}
              />
            </div>
          );
        })}
      </div>
    </section>
  );
}

function FirstRows({ preview }: { preview: Preview }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to be reached by keyboard
    <section aria-label={t('First rows of the file')} className="map-rows" tabIndex={0}>
      <HTMLTable compact>
        <thead>
          <tr>
            {preview.columns.map((column) => (
              <th key={column} scope="col">
                {visibleText(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preview.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name
            <tr key={at}>
              {preview.columns.map((column, index) => (
                <td key={column}>{visibleText(row[index] ?? '')}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </HTMLTable>
    </section>
  );
}

const placeOf = ({ file_path: path, start_line: line, component, resource }: Preview['findings'][number]): string =>
  path === null ? (component ?? resource ?? '') : `${path}${line === null ? '' : `:${line}`}`;

/** What the import would make of the first rows. */
function Findings({ preview, isStale }: { preview: Preview; isStale: boolean }) {
  const { findings, unreadable } = preview;
  return (
    <section aria-label={t('Preview')} aria-busy={isStale}>
      <h3>{t('The first findings')}</h3>
      <p className="muted small" role="status">
        {t('{count} of the first {rows} rows can be imported.', {
          count: findings.length,
          rows: findings.length + unreadable.length,
        })}
      </p>
      <ul className="map-findings">
        {findings.slice(0, 5).map((finding, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: equal rows are two findings
          <li key={at}>
            <SeverityBadge severity={finding.severity} />
            <span className="grow trunc">{visibleText(finding.title)}</span>
            <code className="trunc small">{visibleText(placeOf(finding))}</code>
          </li>
        ))}
      </ul>
      {unreadable.length > 0 && (
        <ul className="unreadable">
          {unreadable.slice(0, 5).map(({ where, why }) => (
            <li key={`${where} ${why}`}>
              <code>{where}</code> {visibleText(t(why))}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface SavedProps extends Omit<PartProps, 'mapping'> {
  mayRemove: boolean;
}

function Saved({ actor, preview, mayRemove }: SavedProps) {
  const [chosen, setChosen] = useState('');
  if (preview.saved.length === 0) return null;
  const isThere = preview.saved.some(({ _id }) => _id === chosen);
  const choose = (id: string) => {
    setChosen(id);
    actor.send({ type: 'USE_SAVED', id });
  };
  return (
    <FormField label={t('Saved mapping')} help={t('Made for tables with the same columns.')}>
      {(control) => (
        <div className="row map-saved">
          <HTMLSelect
            id={control.id}
            aria-describedby={control['aria-describedby']}
            fill
            value={isThere ? chosen : ''}
            onChange={(event) => choose(event.currentTarget.value)}
            options={[
              { value: '', label: t('Choose…') },
              ...preview.saved.map(({ _id, attributes }) => ({ value: _id, label: visibleText(attributes.name) })),
            ]}
          />
          {mayRemove && isThere && (
            <Button text={t('Remove')} onClick={() => actor.send({ type: 'REMOVE_SAVED', id: chosen })} />
          )}
        </div>
      )}
    </FormField>
  );
}

function SaveAs({ actor, isBusy }: { actor: MapRef; isBusy: boolean }) {
  const savedAs = useSelector(actor, ({ context }) => context.savedAs);
  const tool = useSelector(actor, ({ context }) => context.mapping.tool);
  const [name, setName] = useState('');
  return (
    <div className="row wrap map-save">
      <InputGroup
        className="grow"
        aria-label={t('Name of the mapping')}
        placeholder={tool.trim() === '' ? t('Name of the mapping') : tool}
        maxLength={100}
        value={name}
        onValueChange={setName}
      />
      <Button
        text={t('Save mapping')}
        loading={isBusy}
        disabled={tool.trim() === ''}
        onClick={() => actor.send({ type: 'SAVE', name: name.trim() === '' ? tool.trim() : name.trim() })}
      />
      <span className="small muted" role="status">
        {savedAs === undefined ? '' : t('Saved as “{name}”.', { name: savedAs })}
      </span>
    </div>
  );
}

export interface MapColumnsDialogProps {
  api: ApiClient;
  file: File;
  /** What was chosen for the file before. */
  mapping: TableMapping | undefined;
  /** Whether the person may keep a mapping for the organisation. */
  maySave: boolean;
  onClose: () => void;
  /** Default: "Import". */
  acceptText?: string;
  onImport: (mapping: TableMapping) => void;
}

/** Says what the columns of a table are that no importer knows, with a look at what becomes of it. */
export function MapColumnsDialog(props: MapColumnsDialogProps) {
  const { api, file, mapping: before, maySave, acceptText, onClose, onImport } = props;
  const actor = useActorRef(mapColumnsMachine, {
    input: { api, file, ...(before === undefined ? {} : { mapping: before }) },
  });
  const { value, context } = useSelector(actor, (snapshot) => snapshot);
  const { preview, mapping, messages } = context;
  const titleId = useId();
  const isReady = value === 'ready' && mapping.tool.trim() !== '' && (preview?.findings.length ?? 0) > 0;
  return (
    <DialogBox
      className="dialog map-columns"
      isOpen
      onClose={onClose}
      canOutsideClickClose={false}
      aria-labelledby={titleId}
    >
      <header id={titleId} className="trunc">
        {t('Map columns of {file}', { file: visibleText(file.name) })}
      </header>
      <div className="b">
        {messages.length > 0 && (
          <Callout intent="danger" role="alert">
            {messages.join(' ')}
          </Callout>
        )}
        {value === 'reading' && <p role="status">{t('Reading the columns…')}</p>}
        {preview !== undefined && (
          <>
            <Saved actor={actor} preview={preview} mayRemove={maySave} />
            <FormField
              label={t('Scanner')}
              help={t(
                'Its name, such as “Acme scanner”. A later report of the same name closes what it does not list any more.',
              )}
            >
              {(control) => (
                <InputGroup
                  id={control.id}
                  aria-describedby={control['aria-describedby']}
                  maxLength={100}
                  value={mapping.tool}
                  onValueChange={(tool) => actor.send({ type: 'SET_TOOL', tool })}
                />
              )}
            </FormField>
            <FirstRows preview={preview} />
            <Fields actor={actor} preview={preview} mapping={mapping} />
            <Words actor={actor} preview={preview} mapping={mapping} />
            <Findings preview={preview} isStale={value !== 'ready'} />
            {maySave && <SaveAs actor={actor} isBusy={value === 'saving'} />}
          </>
        )}
      </div>
      <footer>
        {!isReady && preview !== undefined && value === 'ready' && (
          <span className="grow muted small">
            {mapping.tool.trim() === '' ? t('Name the scanner first.') : t('No row can be imported yet.')}
          </span>
        )}
        <Button variant="minimal" text={t('Cancel')} onClick={onClose} />
        {value === 'refused' && <Button text={t('Try again')} onClick={() => actor.send({ type: 'RETRY' })} />}
        <Button
          intent="primary"
          text={acceptText ?? t('Import')}
          disabled={!isReady}
          onClick={() => onImport(mapping)}
        />
      </footer>
    </DialogBox>
  );
}
