import { AppError } from '../../core/src/platform/model/app-error.ts';

export const refused = () => new AppError('forbidden', 'The server refused it.');
