import type { ReportParser } from '@breakwater/sdk';
import { advised } from '../../formats/advice.ts';
import { parseHadolint, recogniseHadolint } from './parser.ts';

export const hadolint: ReportParser = {
  tool: 'hadolint',
  formats: ['json', 'sarif', 'checkstyle', 'codeclimate', 'gitlab_codeclimate', 'sonarqube', 'tty', 'gnu'],
  recognise: recogniseHadolint,
  parse: advised(parseHadolint, 'hadolint --format json'),
};
