import { Checkbox } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { msg } from '../../../platform/model/message.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { type DraftPath, NEW_DOCUMENT } from '../../model/draft-document.ts';
import { Pair, Part, type PartProps } from './builder-part.tsx';
import { DraftChoice, DraftText } from './draft-inputs.tsx';
import { EXAMPLE } from './examples.ts';
import { MappingFields, RecordFields } from './mapping-fields.tsx';
import { Optional } from './optional-part.tsx';
import { RequestFields } from './request-fields.tsx';

const PAGINGS = {
  '': { label: msg('One answer holds everything'), value: undefined },
  link: { label: msg('Link header'), value: { type: 'link' } },
  cursor: { label: msg('Cursor'), value: { type: 'cursor', cursorAt: 'next', parameter: 'cursor' } },
  next: { label: msg('Address of the next page'), value: { type: 'next', nextAt: 'next' } },
  page: { label: msg('Page number'), value: { type: 'page', parameter: 'page', size: 100 } },
  offset: { label: msg('Offset'), value: { type: 'offset', parameter: 'offset', size: 100 } },
} as const;

const isPaging = (value: string): value is keyof typeof PAGINGS => Object.hasOwn(PAGINGS, value);

const PAGING_FIELDS: Readonly<Record<string, readonly [string, string][]>> = {
  cursor: [
    ['cursorAt', msg('Cursor in the answer')],
    ['parameter', msg('Parameter')],
  ],
  next: [['nextAt', msg('Address in the answer')]],
  page: [
    ['parameter', msg('Parameter')],
    ['size', msg('Records of a page')],
    ['sizeParameter', msg('Parameter of the size')],
  ],
  offset: [
    ['parameter', msg('Parameter')],
    ['size', msg('Records of a page')],
    ['sizeParameter', msg('Parameter of the size')],
  ],
};

const ListFields = observer(function ListFields({ store, at }: PartProps & { at: DraftPath }) {
  const paging = [...at, 'paging'];
  const type = store.textAt([...paging, 'type']);
  return (
    <>
      <Pair>
        <DraftText
          store={store}
          path={[...at, 'records']}
          label={t('Records')}
          isCode={true}
          isOptional={true}
          placeholder={EXAMPLE.records}
          help={t('Path to the list; empty where the answer is the list.')}
        />
        <DraftChoice
          store={store}
          path={[...paging, 'type']}
          label={t('Pages')}
          options={Object.entries(PAGINGS).map(([value, { label }]) => ({ value, label: t(label) }))}
          onChoose={(value) => isPaging(value) && store.set(paging, PAGINGS[value].value)}
        />
      </Pair>
      {(PAGING_FIELDS[type] ?? []).length > 0 && (
        <Pair>
          {(PAGING_FIELDS[type] ?? []).map(([name, label]) => (
            <DraftText
              key={name}
              store={store}
              path={[...paging, name]}
              label={t(label)}
              isCode={true}
              isNumber={name === 'size'}
              isOptional={name === 'sizeParameter'}
            />
          ))}
        </Pair>
      )}
    </>
  );
});

const TARGETS = { request: { path: '' }, map: { id: 'id', name: 'name' } } as const;

const TargetsFields = observer(function TargetsFields({ store }: PartProps) {
  const at = ['findings', 'targets'];
  const label = t('The service has several applications, whose findings are asked one by one');
  return (
    <Optional store={store} at={at} label={label} first={TARGETS}>
      <h3>{t('Applications')}</h3>
      <RequestFields store={store} at={at} placeholder={EXAMPLE.projects} />
      <ListFields store={store} at={at} />
      <Pair>
        <DraftText
          store={store}
          path={[...at, 'map', 'id']}
          label={t('Id')}
          isCode={true}
          help={t('In other requests: {id}', { id: '{{target.id}}' })}
        />
        <DraftText store={store} path={[...at, 'map', 'name']} label={t('Name')} isCode={true} />
      </Pair>
    </Optional>
  );
});

/** What is asked for findings. */
export const FindingsPart = observer(function FindingsPart({ store }: PartProps) {
  const has = store.valueAt(['findings']) !== undefined;
  return (
    <Part title={t('Findings')}>
      <Checkbox
        label={t('The service has findings')}
        checked={has}
        onChange={() => store.set(['findings'], has ? undefined : NEW_DOCUMENT['findings'])}
      />
      {has && <FindingsFields store={store} />}
    </Part>
  );
});

const FindingsFields = observer(function FindingsFields({ store }: PartProps) {
  return (
    <>
      <TargetsFields store={store} />
      <RequestFields store={store} at={['findings']} placeholder={EXAMPLE.issues} />
      <ListFields store={store} at={['findings']} />
      <RecordFields store={store} of={['findings']} />
    </>
  );
});

/** Each field of a finding with the expression that gives it. */
export const MappingPart = observer(function MappingPart({ store }: PartProps) {
  if (store.valueAt(['findings']) === undefined) return null;
  return (
    <Part
      title={t('Mapping')}
      intro={t('A JSONata expression for each field of a finding. It sees one record of the list.')}
    >
      <MappingFields store={store} of={['findings']} />
    </Part>
  );
});
