import type { BulkFixProps } from '../../../findings/ui/index.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { formatNumber } from '../../../platform/ui/display/formats.ts';
import { ActionDialog } from '../../../platform/ui/feedback/dialogs.tsx';
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
      title={`Ask AI about ${ids.length === 1 ? '1 finding' : `${formatNumber(ids.length)} findings`}`}
      consequence="The code of each file is sent to the model, one after the other, in the background. It proposes; the findings stay as they are."
      actionLabel="Ask AI"
      onAction={() => onStart(start, 'looked at by the model')}
      onClose={onClose}
    >
      <p className="muted small">
        Each question counts against the month’s quota. Files that the model has seen already are left out, and so are
        findings that are secrets. Read the proposals in the column “AI proposal”.
      </p>
    </ActionDialog>
  );
}
