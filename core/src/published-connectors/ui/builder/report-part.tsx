import { observer } from 'mobx-react-lite';
import { msg } from '../../../platform/model/message.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { Pair, Part, type PartProps } from './builder-part.tsx';
import { DraftChoice, DraftLines, DraftText } from './draft-inputs.tsx';
import { EXAMPLE, NEW_REPORT } from './examples.ts';
import { MappingFields, RecordFields } from './mapping-fields.tsx';
import { Optional } from './optional-part.tsx';

const REPORT = ['report'];
const FORMATS = { json: msg('One JSON document'), ndjson: msg('JSON, one record a line') } as const;

/** How reports of the tool are read that people upload. */
export const ReportPart = observer(function ReportPart({ store }: PartProps) {
  return (
    <Part title={t('Reports')}>
      <Optional store={store} at={REPORT} label={t('It reads reports that people upload')} first={NEW_REPORT}>
        <DraftLines
          store={store}
          path={[...REPORT, 'recognise']}
          label={t('Known by')}
          placeholder={EXAMPLE.recognise}
          help={t('Texts that each report begins with, one per line: all of them stand in its first 64 KiB.')}
        />
        <Pair>
          <DraftChoice
            store={store}
            path={[...REPORT, 'format']}
            label={t('Format')}
            options={Object.entries(FORMATS).map(([value, label]) => ({ value, label: t(label) }))}
          />
          <DraftText
            store={store}
            path={[...REPORT, 'records']}
            label={t('Records')}
            isCode={true}
            isOptional={true}
            placeholder={EXAMPLE.records}
            help={t('Path to the list; empty where the report is the list.')}
          />
        </Pair>
        <DraftText
          store={store}
          path={[...REPORT, 'identity']}
          label={t('What makes a result the same')}
          placeholder={EXAMPLE.same}
          help={t('In words, for people: by it a result is known in the next report.')}
        />
        <RecordFields store={store} of={REPORT} />
        <MappingFields store={store} of={REPORT} />
      </Optional>
    </Part>
  );
});
