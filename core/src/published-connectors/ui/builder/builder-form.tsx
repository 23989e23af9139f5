import { Button, Checkbox } from '@blueprintjs/core';
import { Add, Cross } from '@blueprintjs/icons';
import { CATEGORIES } from '@breakwater/sdk';
import { observer } from 'mobx-react-lite';
import { msg } from '../../../platform/model/message.ts';
import { t, translated } from '../../../platform/ui/language/translate.ts';
import { type DraftField, fieldsOf, withFields } from '../../model/draft-document.ts';
import { Pair, Part, type PartProps } from './builder-part.tsx';
import { DraftChoice, DraftLines, DraftText } from './draft-inputs.tsx';
import { EXAMPLE } from './examples.ts';
import { FindingsPart, MappingPart } from './findings-parts.tsx';
import { ReportPart } from './report-part.tsx';
import { RequestFields } from './request-fields.tsx';
import { SendingPart } from './sending-part.tsx';

const CardPart = observer(function CardPart({ store }: PartProps) {
  return (
    <Part title={t('Card')}>
      <Pair>
        <DraftText store={store} path={['title']} label={t('Name')} placeholder={EXAMPLE.name} />
        <DraftText
          store={store}
          path={['id']}
          label={t('Id')}
          isCode={true}
          placeholder={EXAMPLE.id}
          help={t('Lower case with dashes. It never changes.')}
        />
      </Pair>
      <Pair>
        <DraftChoice
          store={store}
          path={['category']}
          label={t('Category')}
          options={Object.entries(CATEGORIES).map(([value, label]) => ({ value, label: translated(label) }))}
        />
        <DraftText store={store} path={['version']} label={t('Version')} isCode={true} />
      </Pair>
      <DraftText
        store={store}
        path={['description']}
        label={t('Description')}
        isLong={true}
        help={t('One sentence: what it brings.')}
      />
      <DraftText
        store={store}
        path={['documentation']}
        label={t('Documentation')}
        isCode={true}
        placeholder={EXAMPLE.documentation}
        help={t('A page that says how to get the credentials.')}
      />
    </Part>
  );
});

interface FieldRowProps {
  field: DraftField;
  onChange: (change: Partial<DraftField>) => void;
  onRemove: () => void;
}

function FieldRow({ field, onChange, onRemove }: FieldRowProps) {
  const { name, title, help, isSecret, isRequired } = field;
  const text = (label: string, value: string, key: 'name' | 'title' | 'help', isCode = false) => (
    <input
      className={`bp6-input ${isCode ? 'mono' : ''}`}
      aria-label={t('{part} of {name}', { part: label, name: name === '' ? t('a new field') : name })}
      placeholder={label}
      spellCheck={!isCode}
      autoComplete="off"
      value={value}
      onChange={(event) => onChange({ [key]: event.target.value })}
    />
  );
  return (
    <li className="builder-field">
      {text(t('Field'), name, 'name', true)}
      {text(t('Label'), title, 'title')}
      {text(t('Help'), help, 'help')}
      <span className="row builder-field-kinds">
        <Checkbox
          inline={true}
          label={t('Secret')}
          checked={isSecret}
          onChange={() => onChange({ isSecret: !isSecret })}
        />
        <Checkbox
          inline={true}
          label={t('Required')}
          checked={isRequired}
          onChange={() => onChange({ isRequired: !isRequired })}
        />
        <span className="grow" />
        <Button
          variant="minimal"
          size="small"
          icon={<Cross size={14} />}
          aria-label={t('Remove field {name}', { name })}
          onClick={onRemove}
        />
      </span>
    </li>
  );
}

const FIELD: DraftField = {
  name: '',
  title: '',
  help: '',
  isSecret: false,
  isRequired: true,
  type: 'string',
  choices: [],
};

const CredentialsPart = observer(function CredentialsPart({ store }: PartProps) {
  const { document } = store;
  const fields = fieldsOf(document);
  const names = fields.map(({ name }) => name);
  const change = (next: readonly DraftField[], before: readonly string[]) => {
    if (document !== undefined) store.change(withFields(document, next, before));
  };
  return (
    <Part
      title={t('Credentials')}
      intro={t('What whoever connects it fills in. A secret is stored encrypted and stands in the sign-in alone.')}
    >
      <ul className="builder-fields">
        {fields.map((field, index) => (
          <FieldRow
            // biome-ignore lint/suspicious/noArrayIndexKey: the name of a field is what is typed
            key={index}
            field={field}
            onChange={(part) =>
              change(
                fields.map((one, at) => (at === index ? { ...one, ...part } : one)),
                names,
              )
            }
            onRemove={() =>
              change(
                fields.filter((_one, at) => at !== index),
                names.filter((_one, at) => at !== index),
              )
            }
          />
        ))}
      </ul>
      <Button
        size="small"
        icon={<Add size={14} aria-hidden={true} />}
        text={t('Add field')}
        disabled={names.includes('')}
        onClick={() => change([...fields, FIELD], names)}
      />
    </Part>
  );
});

const AUTH_LABELS = {
  none: msg('None'),
  bearer: msg('Bearer token'),
  header: msg('Own header'),
  basic: msg('User name and password (Basic)'),
} as const;

const authOf = (type: string, secret: string): object => {
  if (type === 'bearer') return { type, value: `{{${secret}}}` };
  if (type === 'header') return { type, name: 'x-api-key', value: `{{${secret}}}` };
  return type === 'basic' ? { type, value: `{{username}}:{{${secret}}}` } : { type: 'none' };
};

const ServicePart = observer(function ServicePart({ store }: PartProps) {
  const type = store.textAt(['auth', 'type']);
  const secret = fieldsOf(store.document).find(({ isSecret }) => isSecret)?.name ?? 'token';
  return (
    <Part title={t('Service')}>
      <DraftText
        store={store}
        path={['baseUrl']}
        label={t('Address')}
        isCode={true}
        placeholder={EXAMPLE.address}
        help={t('Paths of requests begin here.')}
      />
      <DraftLines
        store={store}
        path={['permissions', 'egress']}
        label={t('Hosts')}
        placeholder={EXAMPLE.host}
        help={t('One per line, each by its name. Whoever adds the connector approves exactly these.')}
      />
      <DraftChoice
        store={store}
        path={['auth', 'type']}
        label={t('Sign-in')}
        options={Object.entries(AUTH_LABELS).map(([value, label]) => ({ value, label: t(label) }))}
        onChoose={(value) => store.set(['auth'], authOf(value, secret))}
      />
      {type !== 'none' && type !== 'oauth2' && (
        <Pair>
          {type === 'header' && <DraftText store={store} path={['auth', 'name']} label={t('Header')} isCode={true} />}
          <DraftText
            store={store}
            path={['auth', 'value']}
            label={t('Value')}
            isCode={true}
            help={t('{field} stands for what was filled in.', { field: '{{field}}' })}
          />
        </Pair>
      )}
    </Part>
  );
});

const CheckPart = observer(function CheckPart({ store }: PartProps) {
  return (
    <Part title={t('Check')} intro={t('A request that only works with valid credentials, and whose they are.')}>
      <RequestFields store={store} at={['check']} placeholder={EXAMPLE.account} />
      <DraftText
        store={store}
        path={['check', 'identity']}
        label={t('Identity')}
        isCode={true}
        placeholder={EXAMPLE.identity}
        help={t('JSONata: the account in the answer.')}
      />
    </Part>
  );
});

/** The document as a form. */
export function BuilderForm({ store }: PartProps) {
  return (
    <>
      <CardPart store={store} />
      <CredentialsPart store={store} />
      <ServicePart store={store} />
      <CheckPart store={store} />
      <FindingsPart store={store} />
      <MappingPart store={store} />
      <ReportPart store={store} />
      <SendingPart store={store} />
    </>
  );
}
