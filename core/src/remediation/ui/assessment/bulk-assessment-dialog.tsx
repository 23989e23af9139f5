import type { BulkFixProps } from '../../../findings/ui/index.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ActionDialog } from '../../../platform/ui/feedback/dialogs.tsx';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { assessFindings } from '../../api/assessment-routes.ts';

/** Says what is sent before a model is asked about many findings. */
export function BulkAssessmentDialog({ ids, onStart, onClose }: BulkFixProps) {
  const api = useService(API);
  const start = async (): Promise<string> => {
    const { data } = await api.call(assessFindings, { body: { findings: [...ids] } });
    return data.job_id;
  };
  return (
    <ActionDialog
      isOpen={true}
      title={plural(ids.length, 'Ask AI about {count} finding', 'Ask AI about {count} findings')}
      consequence={t(
        'The code of each file is sent to the model, one after the other, in the background. It proposes; the findings stay as they are.',
      )}
      actionLabel={t('Ask AI')}
      onAction={() => onStart(start, t('looked at by the model'))}
      onClose={onClose}
    >
      <p className="muted small">
        {t(
          'Each question counts against the month’s quota. Files that the model has seen already are left out, and so are findings that are secrets. Read the proposals in the column “AI proposal”.',
        )}
      </p>
    </ActionDialog>
  );
}
